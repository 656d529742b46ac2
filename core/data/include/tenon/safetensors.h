// safetensors.h: named tensors in a file, in the format of https://github.com/huggingface/safetensors.
//
// A file is: the header's length (8 bytes, little-endian), the header (a JSON object: name -> dtype, shape, offsets;
// "__metadata__" -> texts), the data (little-endian, row-major, without holes or overlaps).
//
// Plain values, which own their bytes; any thread may call the functions. A file is checked whole before memory for its
// tensors is taken, so that reading needs little more than the file's size whatever the header says.
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/atomic_file.h"
#include "tenon/dtype.h"
#include "tenon/export.h"
#include "tenon/result.h"
#include "tenon/shape.h"

namespace tenon {

struct NamedTensor {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::byte> bytes;  // elements of the shape x size of the dtype, little-endian, row-major
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<NamedTensor> tensors;  // in the header's order

  /// Nothing if there is no tensor with this name. Valid until `tensors` changes.
  TENON_API const NamedTensor* find(std::string_view name) const;
};

/// Reads F32, F64 and U32 tensors of up to max_rank axes; another dtype is an error that names it, as is a header above
/// 8 MiB.
TENON_API result<TensorFile> read_safetensors(const std::filesystem::path& path);

/// Writes the file, whole or not at all (atomic_file.h). The same contents give the same bytes: the header lists the
/// metadata by name, then the tensors in their order, and ends in blanks up to a multiple of 8; the data of wider
/// dtypes come first, so that every tensor is aligned. Names and metadata must be UTF-8, names unique.
TENON_API result<void> write_safetensors(const std::filesystem::path& path, const TensorFile& file);

/// The same up to the last step: the file takes its place with commit(), and is as if never written without.
TENON_API result<AtomicFile> stage_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace tenon
