#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tenon::cli {

Progress::Progress(std::uint64_t epochs)
    : epochs_(epochs), every_(std::max<std::uint64_t>(1, epochs / 5)), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::epoch(std::uint64_t done, double loss) {
  if (!terminal_ && done % every_ != 0 && done != epochs_) return;
  const unsigned long long n = done, of = epochs_;
  std::fprintf(stderr, terminal_ ? "\r\033[Kepoch %llu/%llu  loss %.6f" : "epoch %llu/%llu  loss %.6f\n", n, of, loss);
  open_ = terminal_;
}

void Progress::finish() {
  if (open_) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace tenon::cli
