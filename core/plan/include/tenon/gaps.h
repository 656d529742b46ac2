// gaps.h: the operations of a program for which no capsule is admissible, collected so that one error shows them all.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tenon/device.h"

namespace tenon {

class TENON_API Gaps {
 public:
  /// `text` as explain_gap writes it; `place` is where in the program: "%7". The same text is kept once.
  void add(std::string text, std::string place);
  bool empty() const { return gaps_.empty(); }

  /// NO_CAPSULE: how many operations, and for each its places, operands and rejected candidates.
  Error error(const std::string& device) const;
  Error error(const Device& device) const { return error(device.name()); }

 private:
  struct Gap {
    std::string text, place;
    std::size_t more = 0;  // places beyond the first
  };
  std::vector<Gap> gaps_;
};

}  // namespace tenon
