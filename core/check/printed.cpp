#include "printed.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "tenon/text.h"

namespace tenon::check {

Printed::Printed()
    : before_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)), memory_(::memfd_create("standard output", MFD_CLOEXEC)) {
  ::dup2(memory_, STDOUT_FILENO);
}

Printed::~Printed() {
  const std::string rest = take();
  ::dup2(before_, STDOUT_FILENO);
  std::fwrite(rest.data(), 1, rest.size(), stdout);
  ::close(before_);
  ::close(memory_);
}

std::string Printed::take() {
  std::fflush(stdout);
  const off_t end = ::lseek(memory_, 0, SEEK_END);
  std::string out(static_cast<std::size_t>(end > 0 ? end : 0), '\0');
  const ssize_t got = ::pread(memory_, out.data(), out.size(), 0);
  out.resize(static_cast<std::size_t>(got > 0 ? got : 0));
  static_cast<void>(!::ftruncate(memory_, 0));
  ::lseek(memory_, 0, SEEK_SET);
  return out;
}

std::string wrote(std::string_view words) { return "it wrote '" + excerpt(words, 80) + "'"; }

}  // namespace tenon::check
