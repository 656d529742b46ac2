// input_file.h: a regular file opened for reading, with errors that name it. Private to the data layer.
//
// Owns the descriptor; movable. One thread at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tenon/result.h"

namespace tenon::data {

class InputFile {
 public:
  /// `origin` stands in brackets before each error. Folders, pipes and devices are refused.
  static result<InputFile> open(std::string_view origin, const std::filesystem::path& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// "[origin] FILE", as every error about it begins.
  const std::string& label() const { return label_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

  /// Fills `into` from `offset` on; a file that has become shorter meanwhile is an error.
  result<void> read_at(std::uint64_t offset, std::span<std::byte> into) const;

  /// An error about this file.
  tl::unexpected<Error> refuse(Reason reason, std::string_view what, std::string hint = {}) const;
  tl::unexpected<Error> refuse_size() const;

 private:
  InputFile(std::string label, int descriptor, std::uint64_t size_bytes);

  std::string label_;
  int descriptor_;
  std::uint64_t size_bytes_;
};

/// What `read` answers, or an error if the memory does not hold it; a sparse file may claim any size.
template <class Read>
auto within_memory(const InputFile& file, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return file.refuse_size();
  } catch (const std::length_error&) {
    return file.refuse_size();
  }
}

}  // namespace tenon::data
