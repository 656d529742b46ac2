#include "tenon/tensor_fit.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "tenon/text.h"

namespace tenon {
namespace {

constexpr std::string_view too_wide = "too wide ";

/// What is wrong with one expected tensor; empty if nothing is.
std::string misfit(const ExpectedTensor& expected, const NamedTensor* found, std::string_view owner) {
  const std::string wanted = type_text(expected.dtype, expected.shape), who(owner);
  if (found == nullptr) return "missing " + expected.name + ": the " + who + " has " + wanted;
  const bool same_shape = found->shape == expected.shape;
  const bool fits = found->dtype == expected.dtype || (found->dtype == DType::f32 && expected.dtype == DType::f64);
  if (same_shape && fits) return {};
  return std::string(same_shape && found->dtype == DType::f64 ? too_wide : "mismatched ") + expected.name +
         ": the file has " + type_text(found->dtype, found->shape) + ", the " + who + " " + wanted;
}

}  // namespace

std::string type_text(DType dtype, const Shape& shape) { return std::string(name(dtype)) + " " + to_string(shape); }

std::vector<std::string> misfits(const TensorFile& file, std::span<const ExpectedTensor> expected,
                                 std::string_view owner, const std::function<bool(std::string_view)>& passed_over) {
  std::vector<std::string> out;
  std::unordered_set<std::string_view> known;
  for (const ExpectedTensor& tensor : expected) {
    known.insert(tensor.name);
    if (auto wrong = misfit(tensor, file.find(tensor.name), owner); !wrong.empty()) out.push_back(std::move(wrong));
  }
  for (const NamedTensor& tensor : file.tensors)
    if (!known.contains(tensor.name) && !(passed_over && passed_over(tensor.name)))
      out.push_back("extra " + tensor.name + ": the file has " + type_text(tensor.dtype, tensor.shape));
  return out;
}

bool are_too_wide(std::span<const std::string> problems) {
  return std::ranges::all_of(problems, [](const std::string& p) { return p.starts_with(too_wide); });
}

tl::unexpected<Error> misfit_error(std::string_view place, std::string_view whom, std::span<const std::string> problems,
                                   std::string hint) {
  constexpr std::size_t most_lines = 20;
  constexpr std::string_view line = "\n    ";
  return fail(Reason::CHECKPOINT_MISMATCH,
              std::string(place) + " does not fit " + std::string(whom) + ":" + std::string(line) +
                  listed(problems, most_lines, line),
              are_too_wide(problems) ? "values are never narrowed: use --dtype float" : std::move(hint));
}

result<void> check_format(std::string_view place, const TensorFile& file, std::string_view format, std::string hint) {
  const auto at = file.metadata.find("format");
  if (at == file.metadata.end() || at->second == format) return {};
  return fail(
      Reason::CHECKPOINT_MISMATCH,
      std::string(place) + ": found the format \"" + excerpt(at->second, 200) + "\", expected " + std::string(format),
      std::move(hint));
}

std::vector<std::byte> bytes_as(const NamedTensor& tensor, DType dtype) {
  if (tensor.dtype == dtype) return tensor.bytes;
  std::vector<std::byte> wide(tensor.bytes.size() * 2);
  for (std::size_t i = 0; i < tensor.bytes.size() / sizeof(float); ++i) {
    float value;
    std::memcpy(&value, tensor.bytes.data() + i * sizeof value, sizeof value);
    const double exact = value;
    std::memcpy(wide.data() + i * sizeof exact, &exact, sizeof exact);
  }
  return wide;
}

}  // namespace tenon
