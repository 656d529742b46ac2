// atomic_file.h: a file that appears whole or not at all.
//
// What is written goes to a hidden file in the target's folder, which commit() flushes to the disk and renames to the
// target. Until then, and after any failure, the target is as it was. An AtomicFile that is destroyed without commit()
// removes what it wrote; only a killed process leaves its hidden file (".NAME.PID-N.part") behind.
//
// A symbolic link is followed: the file that it names is replaced, the link stays. An existing file keeps its
// permissions and must be writable; a new one gets the usual ones (0666 less the umask). Folders, pipes and devices are
// refused.
//
// Owns its descriptor and its hidden file; movable. One thread at a time per object. Where a limit on file sizes may be
// set, programs ignore SIGXFSZ, so that it arrives here as an error.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "tenon/export.h"
#include "tenon/result.h"

namespace tenon {

class TENON_API AtomicFile {
 public:
  static result<AtomicFile> create(const std::filesystem::path& target);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  result<void> write(std::span<const std::byte> bytes);
  result<void> write(std::string_view text);

  /// Puts the file in its place. Nothing may be written afterwards.
  result<void> commit();

 private:
  explicit AtomicFile(std::filesystem::path target);

  result<void> open_hidden();
  result<void> flush_and_close();
  tl::unexpected<Error> give_up(std::string_view what, int code);
  void discard();

  std::filesystem::path target_;  // no symbolic link
  std::filesystem::path hidden_;  // empty: nothing to remove
  int descriptor_ = -1;
};

}  // namespace tenon
