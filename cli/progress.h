// progress.h: how far a training is, on standard error: one line that changes on a terminal, a few lines elsewhere.
#pragma once
#include <cstdint>

namespace tenon::cli {

class Progress {
 public:
  explicit Progress(std::uint64_t epochs);
  void epoch(std::uint64_t done, double loss);
  void finish();

 private:
  std::uint64_t epochs_, every_;
  bool terminal_;
  bool open_ = false;  // a line without its end stands on the terminal
};

}  // namespace tenon::cli
