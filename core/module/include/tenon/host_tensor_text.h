// host_tensor_text.h: how tensors in host memory are printed. Pure; any thread.
#pragma once
#include <charconv>
#include <span>
#include <string>

#include "tenon/shape.h"

namespace tenon::detail {

/// A tensor of more elements shows three at each end of an axis.
inline constexpr std::size_t most_elements_shown = 64;
inline constexpr std::size_t elements_at_an_end = 3;

/// The shortest text that reads back as the same number.
template <class Scalar>
std::string number_text(Scalar value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The elements of the axes from `axis` on, in brackets.
template <class Scalar>
std::string elements_text(const Shape& shape, int axis, std::span<const Scalar> values, bool shorten) {
  if (axis == shape.rank) return number_text(values.front());
  const auto extent = static_cast<std::size_t>(shape[axis]);
  const std::size_t stride = extent == 0 ? 0 : values.size() / extent;
  const bool cut = shorten && extent > 2 * elements_at_an_end;
  std::string text = "[";
  for (std::size_t i = 0; i < extent; ++i) {
    if (i > 0) text += ", ";
    if (cut && i == elements_at_an_end) text += "..., ", i = extent - elements_at_an_end;
    text += elements_text(shape, axis + 1, values.subspan(i * stride, stride), shorten);
  }
  return text + "]";
}

/// "(2, 2) [[0, 1], [1, 0]]"
template <class Scalar>
std::string tensor_text(const Shape& shape, std::span<const Scalar> values) {
  const std::string elements =
      values.empty() ? "[]" : elements_text(shape, 0, values, values.size() > most_elements_shown);
  return to_string(shape) + " " + elements;
}

}  // namespace tenon::detail
