#include "tenon/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace tenon {
namespace {

namespace fs = std::filesystem;

constexpr int link_limit = 40;  // as Linux follows them

tl::unexpected<Error> refuse(const fs::path& target, std::string_view what) {
  return fail(Reason::FILE_WRITE_FAILED, fmt::format("[write] {}: {}", target.string(), what));
}

tl::unexpected<Error> refuse(const fs::path& target, std::string_view what, int code) {
  return refuse(target, fmt::format("{}: {}", what, std::generic_category().message(code)));
}

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

/// Also where the last link leads to a file that does not exist yet.
result<fs::path> follow_links(fs::path target) {
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == link_limit) return refuse(target, "cannot be written", ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) return refuse(target, "cannot be written", error.value());
    target = folder_of(target) / next;
  }
  return target;
}

/// The permissions of the file that will be replaced; nothing if there is none.
result<std::optional<mode_t>> existing_mode(const fs::path& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return refuse(target, "cannot be written", errno);
  }
  if (S_ISDIR(status.st_mode)) return refuse(target, "found a folder, expected a file");
  if (!S_ISREG(status.st_mode)) return refuse(target, "found a pipe or device, expected a file");
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return refuse(target, "cannot be written", errno);
  return status.st_mode & mode_t{0777};
}

fs::path hidden_name(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  const std::string name = target.filename().string().substr(0, 100);  // file systems allow 255 bytes
  return folder_of(target) / fmt::format(".{}.{}-{}.part", name, ::getpid(), count++);
}

std::string link_of_proc(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// Makes the renaming itself durable. File systems that cannot do so say EINVAL; a folder may be closed to readers.
result<void> flush_folder(const fs::path& target) {
  const int folder = ::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return {};
  const int code = ::fsync(folder) == 0 ? 0 : errno;
  ::close(folder);
  if (code == 0 || code == EINVAL) return {};
  return refuse(target, "is replaced, but its folder cannot be flushed to the disk", code);
}

/// Whether commit() will be able to name this file.
bool has_link_of_proc(int descriptor) { return ::access(link_of_proc(descriptor).c_str(), F_OK) == 0; }

}  // namespace

result<fs::path> written_path(const fs::path& target) {
  TENON_TRY(const fs::path real_target, follow_links(target));
  std::error_code error;
  const fs::path folder = fs::canonical(folder_of(real_target), error);
  if (error) return refuse(target, "no file can be made in its folder", error.value());
  return folder / real_target.filename();
}

result<AtomicFile> AtomicFile::create(const fs::path& target) {
  if (!target.has_filename()) return refuse(target, "found no file name, expected one");
  TENON_TRY(const std::optional<mode_t> mode, existing_mode(target));
  TENON_TRY(fs::path real_target, follow_links(target));
  AtomicFile file(std::move(real_target));
  TENON_CHECK(file.open(mode));
  return file;
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      hidden_(std::exchange(other.hidden_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() { discard(); }

result<void> AtomicFile::open(std::optional<mode_t> mode) {
  const mode_t wanted = mode.value_or(0666);
  if (!open_nameless(wanted))
    if (const int code = open_hidden(wanted); code != 0)
      return refuse(target_, "no file can be made in its folder", code);
  if (mode && ::fchmod(descriptor_, *mode) != 0) return refuse(target_, "its permissions cannot be kept", errno);
  return {};
}

/// What refuses this is told by the attempt with a name.
bool AtomicFile::open_nameless(mode_t mode) {
  descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor_ >= 0 && !has_link_of_proc(descriptor_)) ::close(std::exchange(descriptor_, -1));
  return descriptor_ >= 0;
}

/// An error number, 0 for none. A name that a killed process of the same number has left is passed over.
int AtomicFile::open_hidden(mode_t mode) {
  fs::path name;
  do {
    name = hidden_name(target_);
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) return errno;
  hidden_ = std::move(name);
  return 0;
}

result<void> AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return give_up("cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

result<void> AtomicFile::write(std::string_view text) { return write(std::as_bytes(std::span(text))); }

tl::unexpected<Error> AtomicFile::give_up(std::string_view what, int code) {
  discard();  // so that a later commit() cannot put half a file in place
  return refuse(target_, what, code);
}

result<void> AtomicFile::flush() {
  if (::fsync(descriptor_) != 0) return give_up("cannot be flushed to the disk", errno);
  return {};
}

/// A file without a name cannot replace another one.
result<void> AtomicFile::give_name() {
  if (!hidden_.empty()) return {};
  const std::string nameless = link_of_proc(descriptor_);
  fs::path name;
  int failed = 0;
  do {
    name = hidden_name(target_);
    failed = ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  } while (failed != 0 && errno == EEXIST);
  if (failed != 0) return give_up("no file can be made in its folder", errno);
  hidden_ = std::move(name);
  return {};
}

result<void> AtomicFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) return give_up("cannot be flushed to the disk", errno);
  return {};
}

result<void> AtomicFile::commit() {
  TENON_CHECK(flush());
  TENON_CHECK(give_name());
  TENON_CHECK(close());
  if (::rename(hidden_.c_str(), target_.c_str()) != 0) return give_up("cannot be replaced", errno);
  hidden_.clear();
  return flush_folder(target_);
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
  hidden_.clear();
}

}  // namespace tenon
