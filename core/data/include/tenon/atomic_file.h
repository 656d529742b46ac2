// atomic_file.h: a file that appears whole or not at all.
//
// What is written goes to a file without a name in the target's folder. commit() flushes it to the disk, gives it a
// hidden name (".NAME.PID-N.part") and renames that to the target. Until then, and after any failure, the target is as
// it was; whatever ends the process before commit(), nothing is left behind. Where the file system has no files without
// a name, or /proc is missing, the hidden name is there from the start, and a killed process leaves it.
//
// A symbolic link is followed: the file that it names is replaced, the link stays. An existing file keeps its
// permissions and must be writable; a new one gets the usual ones (0666 less the umask). Folders, pipes and devices are
// refused.
//
// Owns its descriptor and its hidden file; movable. One thread at a time per object. Where a limit on file sizes may be
// set, programs ignore SIGXFSZ, so that it arrives here as an error.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "tenon/export.h"
#include "tenon/result.h"

namespace tenon {

/// The file that an AtomicFile for `target` replaces or makes: absolute and free of links, so that equal paths are one
/// file however they are spelled. FILE_WRITE_FAILED where its folder is missing or links go in a circle.
TENON_API result<std::filesystem::path> written_path(const std::filesystem::path& target);

class TENON_API AtomicFile {
 public:
  static result<AtomicFile> create(const std::filesystem::path& target);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  result<void> write(std::span<const std::byte> bytes);
  result<void> write(std::string_view text);

  /// The file that is to be written, where no symbolic link stands for it.
  const std::filesystem::path& target() const { return target_; }

  /// Puts the file in its place. Nothing may be written afterwards.
  result<void> commit();

 private:
  explicit AtomicFile(std::filesystem::path target);

  result<void> open(std::optional<mode_t> mode);
  bool open_nameless(mode_t mode);
  int open_hidden(mode_t mode);
  result<void> give_name();
  result<void> flush();
  result<void> close();
  tl::unexpected<Error> give_up(std::string_view what, int code);
  void discard();

  std::filesystem::path target_;  // no symbolic link
  std::filesystem::path hidden_;  // empty: it has no name that would be left behind
  int descriptor_ = -1;
};

}  // namespace tenon
