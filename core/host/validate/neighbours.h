// neighbours.h: the bytes behind each tensor that a launch writes, which the capsule has no business with.
//
// Outputs of one allocation lie close together: guard zones around the whole would not see one run into the next. Only
// where the host may look, and only for capsules that are done when they return. Lives during one launch.
#pragma once
#include <optional>
#include <span>

#include "call.h"

namespace tenon::host {

class Neighbours {
 public:
  /// Remembers them for each tensor of the kernel that is written; `places`: where the tensors lie.
  Neighbours(const KernelRecord& kernel, std::span<const Place> places, const Place& workspace);

  /// "output 0: found 4 of the 64 bytes behind its end changed, ..."; nothing if all are as they were.
  std::optional<std::string> damage() const;

 private:
  static constexpr std::size_t most_bytes = 64;
  struct Zone {
    const std::string* role;
    const std::byte* begin;
    std::size_t bytes;
    std::array<std::byte, most_bytes> before;
  };
  std::vector<Zone> zones_;
};

}  // namespace tenon::host
