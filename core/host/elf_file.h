// elf_file.h: reads pieces of a file by offset and never past its end. Owns the descriptor; one thread at a time.
//
// Not a mapping: a file that shrinks while it is read gives an answer, not a SIGBUS.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tenon/result.h"

namespace tenon::host {

class ElfFile {
 public:
  static result<ElfFile> open(const std::filesystem::path& file);
  ~ElfFile();
  ElfFile(ElfFile&& other) noexcept;
  ElfFile(const ElfFile&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  bool holds(std::uint64_t offset, std::uint64_t count) const { return offset <= bytes_ && count <= bytes_ - offset; }

  /// False if the file has not so many bytes there.
  bool read(std::uint64_t offset, void* to, std::uint64_t count) const;

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    T value;
    if (!read(offset, &value, sizeof value)) return std::nullopt;
    return value;
  }

  /// The text at `offset` up to its NUL, cut off at 4096 bytes.
  std::optional<std::string> text(std::uint64_t offset) const;

 private:
  ElfFile(int descriptor, std::uint64_t bytes) : descriptor_(descriptor), bytes_(bytes) {}
  int descriptor_;
  std::uint64_t bytes_;
};

}  // namespace tenon::host
