#include "elf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tenon::host {
namespace {

tl::unexpected<Error> cannot_open(const std::filesystem::path& file, int code) {
  const Reason reason = code == ENOENT || code == ENOTDIR ? Reason::FILE_NOT_FOUND : Reason::FILE_UNREADABLE;
  return fail(reason, "[plugin] " + file.string() + ": " + std::generic_category().message(code));
}

}  // namespace

result<ElfFile> ElfFile::open(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot_open(file, errno);
  struct stat facts {};
  ElfFile opened(descriptor, 0);
  if (::fstat(descriptor, &facts) != 0) return cannot_open(file, errno);
  if (!S_ISREG(facts.st_mode)) return fail(Reason::NOT_A_LIBRARY, "[plugin] " + file.string() + ": not a regular file");
  opened.bytes_ = static_cast<std::uint64_t>(facts.st_size);
  return opened;
}

ElfFile::~ElfFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

ElfFile::ElfFile(ElfFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_) {}

bool ElfFile::read(std::uint64_t offset, void* to, std::uint64_t count) const {
  if (!holds(offset, count)) return false;
  auto* out = static_cast<char*>(to);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, out, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::uint64_t>(got);
  }
  return true;
}

std::optional<std::string> ElfFile::text(std::uint64_t offset) const {
  if (offset >= bytes_) return std::nullopt;
  std::string out(std::min<std::uint64_t>(4096, bytes_ - offset), '\0');
  if (!read(offset, out.data(), out.size())) return std::nullopt;
  return out.substr(0, out.find('\0'));
}

}  // namespace tenon::host
