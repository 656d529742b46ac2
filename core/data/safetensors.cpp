#include "tenon/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <span>

#include "input_file.h"
#include "safetensors_header.h"
#include "tenon/atomic_file.h"
#include "words.h"

namespace tenon {
namespace {

using namespace data;
namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "the format is little-endian, and nothing here swaps bytes");

constexpr std::uint64_t length_bytes = 8;  // of the field that holds the header's length

result<std::uint64_t> read_header_length(const InputFile& file) {
  const std::uint64_t size = file.size_bytes();
  if (size < length_bytes) {
    return file.refuse(Reason::FILE_MALFORMED,
                       fmt::format("found {} bytes, expected at least 8 for the header's length", size));
  }
  std::uint64_t length = 0;
  TENON_CHECK(file.read_at(0, std::as_writable_bytes(std::span(&length, 1))));
  const std::uint64_t most = std::min(size - length_bytes, header_limit_bytes);
  if (length <= most) return length;
  return file.refuse(
      Reason::FILE_MALFORMED,
      fmt::format("found a header length of {} bytes, expected at most {} (the file has {}); it is cut off, or no "
                  "safetensors file",
                  length, most, size));
}

/// The header, checked whole against the file's size.
result<Header> read_header(const InputFile& file, std::uint64_t length) {
  std::string text(length, '\0');
  TENON_CHECK(file.read_at(length_bytes, std::as_writable_bytes(std::span(text))));
  auto header = parse_header(text);
  if (!header) return file.refuse(Reason::FILE_MALFORMED, header.error());
  const std::string flaw = check_layout(*header, file.size_bytes() - length_bytes - length);
  if (!flaw.empty()) return file.refuse(Reason::FILE_MALFORMED, flaw);
  return *std::move(header);
}

result<NamedTensor> read_tensor(const InputFile& file, std::uint64_t data_begin, HeaderEntry entry) {
  NamedTensor tensor{std::move(entry.name), entry.dtype, entry.shape, {}};
  tensor.bytes.resize(entry.end - entry.begin);
  TENON_CHECK(file.read_at(data_begin + entry.begin, tensor.bytes));
  return tensor;
}

result<TensorFile> read_tensors(const InputFile& file) {
  TENON_TRY(const std::uint64_t length, read_header_length(file));
  TENON_TRY(Header header, read_header(file, length));
  TensorFile contents{std::move(header.metadata), {}};
  contents.tensors.reserve(header.entries.size());
  for (HeaderEntry& entry : header.entries) {
    TENON_TRY(NamedTensor tensor, read_tensor(file, length_bytes + length, std::move(entry)));
    contents.tensors.push_back(std::move(tensor));
  }
  return contents;
}

tl::unexpected<Error> refuse_tensors(const fs::path& path, std::string_view what) {
  return fail(Reason::INVALID_ARGUMENT, fmt::format("[safetensors] {}: {}", path.string(), what));
}

result<void> check_metadata(const fs::path& path, const std::map<std::string, std::string>& metadata) {
  for (const auto& [name, text] : metadata) {
    if (!is_utf8(name) || !is_utf8(text)) {
      return refuse_tensors(path, fmt::format("metadata {}: found other bytes, expected UTF-8", quote(name)));
    }
  }
  return {};
}

/// What is wrong with a tensor that is to be written; empty: nothing.
std::string flaw_of(const NamedTensor& tensor) {
  if (!is_utf8(tensor.name)) return "found a name that is not UTF-8, expected UTF-8";
  if (tensor.name == "__metadata__") return "found the name that the format keeps for itself, expected another";
  const std::optional<Extent> elements = checked_elements(tensor.shape);
  if (!elements) return fmt::format("found the shape {}, expected known extents", to_string(tensor.shape));
  const std::uint64_t expected = static_cast<std::uint64_t>(*elements) * size_bytes(tensor.dtype);
  if (tensor.bytes.size() == expected) return {};
  return fmt::format("found {} bytes, expected {} for {} {}", tensor.bytes.size(), expected,
                     safetensors_name(tensor.dtype), to_string(tensor.shape));
}

result<void> check_tensors(const fs::path& path, const std::vector<NamedTensor>& tensors) {
  std::set<std::string_view> names;
  for (const NamedTensor& tensor : tensors) {
    std::string flaw = flaw_of(tensor);
    if (flaw.empty() && !names.insert(tensor.name).second) flaw = "found twice, expected different names";
    if (!flaw.empty()) return refuse_tensors(path, fmt::format("{}: {}", tensor_words(tensor.name), flaw));
  }
  return {};
}

/// Positions of the tensors in the order of their data: readers that view the file in memory want each aligned.
std::vector<std::size_t> data_order(const std::vector<NamedTensor>& tensors) {
  std::vector<std::size_t> order(tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto wide = [&](std::size_t i) { return size_bytes(tensors[i].dtype) == 8; };
  std::stable_partition(order.begin(), order.end(), wide);
  return order;
}

Header header_of(const TensorFile& file, std::span<const std::size_t> order) {
  Header header{file.metadata, {}};
  for (const NamedTensor& t : file.tensors) header.entries.push_back({t.name, t.dtype, t.shape, 0, 0});
  std::uint64_t offset = 0;
  for (const std::size_t i : order) {
    header.entries[i].begin = offset;
    header.entries[i].end = offset += file.tensors[i].bytes.size();
  }
  return header;
}

/// The header with its length before it and blanks behind it.
std::string header_block(const Header& header) {
  std::string text = write_header(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  char field[length_bytes];
  std::memcpy(field, &length, length_bytes);
  return text.insert(0, field, length_bytes);
}

}  // namespace

const NamedTensor* TensorFile::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

result<TensorFile> read_safetensors(const fs::path& path) {
  TENON_TRY(const InputFile file, InputFile::open("safetensors", path));
  return within_memory(file, [&] { return read_tensors(file); });
}

result<AtomicFile> stage_safetensors(const fs::path& path, const TensorFile& file) {
  TENON_CHECK(check_metadata(path, file.metadata));
  TENON_CHECK(check_tensors(path, file.tensors));
  const std::vector<std::size_t> order = data_order(file.tensors);
  const std::string header = header_block(header_of(file, order));
  if (header.size() - length_bytes > header_limit_bytes) {
    return refuse_tensors(path, fmt::format("found a header of {} bytes, expected at most {}",
                                            header.size() - length_bytes, header_limit_bytes));
  }
  TENON_TRY(AtomicFile output, AtomicFile::create(path));
  TENON_CHECK(output.write(header));
  for (const std::size_t i : order) TENON_CHECK(output.write(file.tensors[i].bytes));
  return output;
}

result<void> write_safetensors(const fs::path& path, const TensorFile& file) {
  TENON_TRY(AtomicFile output, stage_safetensors(path, file));
  return output.commit();
}

}  // namespace tenon
