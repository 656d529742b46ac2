#include "input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tenon::data {
namespace {

std::string system_words(int code) { return std::generic_category().message(code); }

/// Where permissions are not what is wrong; else empty.
std::string next_step(int code) {
  if (code == ELOOP) return "mend the symbolic links of its path: they lead in a circle";
  if (code == ENAMETOOLONG) return "use a shorter path";
  return {};
}

tl::unexpected<Error> cannot_open(const std::string& label, int code) {
  const bool absent = code == ENOENT || code == ENOTDIR;
  return fail(absent ? Reason::FILE_NOT_FOUND : Reason::FILE_UNREADABLE,
              fmt::format("{}: cannot be opened: {}", label, system_words(code)), next_step(code));
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

result<InputFile> InputFile::open(std::string_view origin, const std::filesystem::path& path) {
  std::string label = fmt::format("[{}] {}", origin, path.string());
  // Without O_NONBLOCK the opening of a pipe would wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot_open(label, errno);
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  InputFile file(std::move(label), descriptor, known ? static_cast<std::uint64_t>(status.st_size) : 0);
  if (!known) return file.refuse(Reason::FILE_UNREADABLE, system_words(errno));
  if (S_ISREG(status.st_mode)) return file;
  return file.refuse(Reason::FILE_UNREADABLE, fmt::format("found {}, expected a file", kind_of(status.st_mode)),
                     "name a regular file");
}

InputFile::InputFile(std::string label, int descriptor, std::uint64_t size_bytes)
    : label_(std::move(label)), descriptor_(descriptor), size_bytes_(size_bytes) {}

InputFile::InputFile(InputFile&& other) noexcept
    : label_(std::move(other.label_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

result<void> InputFile::read_at(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t count = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refuse(Reason::FILE_UNREADABLE, "cannot be read: " + system_words(errno));
    if (count == 0) return refuse(Reason::FILE_UNREADABLE, "became shorter while it was read");
    offset += static_cast<std::uint64_t>(count);
    into = into.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

tl::unexpected<Error> InputFile::refuse(Reason reason, std::string_view what, std::string hint) const {
  if (reason == Reason::FILE_MALFORMED && hint.empty()) hint = "name another file, or write this one anew";
  return fail(reason, fmt::format("{}: {}", label_, what), std::move(hint));
}

tl::unexpected<Error> InputFile::refuse_size() const {
  return refuse(Reason::OUT_OF_MEMORY, fmt::format("found {} bytes, more than the memory holds", size_bytes_));
}

}  // namespace tenon::data
