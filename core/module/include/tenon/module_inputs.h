// module_inputs.h: host tensors as the inputs of a module: checked by the compiler, handed over as a Batch of spans.
//
// Nothing is copied: a Batch is valid as long as the tensors are.
#pragma once
#include "tenon/host_tensor.h"
#include "tenon/module_core.h"
#include "tenon/module_def.h"

namespace tenon::detail {

/// Can a host tensor whose type says `given` have a shape that `wanted` admits? Calls bind names, so any number will
/// do.
constexpr bool may_be(const Shape& wanted, const Shape& given) {
  return std::ranges::equal(wanted.extents(), given.extents(),
                            [](Extent w, Extent g) { return !is_known(w) || !is_known(g) || w == g; });
}

template <class T>
struct HostTypeOf {
  static constexpr bool is_host_tensor = false;
  static constexpr OperandType type{};
  static constexpr std::string_view scalar = "no host tensor";
};
template <class Scalar, Shape S>
struct HostTypeOf<HostTensorOf<Scalar, S>> {
  static constexpr bool is_host_tensor = true;
  static constexpr OperandType type = HostTensorOf<Scalar, S>::type;
  static constexpr std::string_view scalar = std::same_as<Scalar, float>    ? "float"
                                             : std::same_as<Scalar, double> ? "double"
                                                                            : "natural";
};

/// "[module] input 0 x: found double (batch, 60), expected double (batch, 64)"
template <class Scalar, ShapeList Inputs, ShapeList Naturals, class... Given>
inline constexpr Message wrong_inputs = [] {
  Message words;
  constexpr std::size_t reals = length<Inputs>, all = reals + length<Naturals>;
  if (sizeof...(Given) != all)
    return words << "[module] found " << sizeof...(Given) << " inputs, expected " << all, words;
  constexpr std::array<OperandType, sizeof...(Given)> found{HostTypeOf<Given>::type...};
  constexpr std::array<std::string_view, sizeof...(Given)> scalars{HostTypeOf<Given>::scalar...};
  constexpr std::string_view scalar = HostTypeOf<HostTensorOf<Scalar, Shape{}>>::scalar;
  for (std::size_t i = 0; i < all; ++i) {
    const Param& input = i < reals ? Inputs::list[i] : Naturals::list[i - reals];
    const std::string_view wanted = i < reals ? scalar : std::string_view("natural");
    if (scalars[i] == wanted && may_be(input.shape, found[i].shape)) continue;
    words << "[module] input " << i << (input.name.empty() ? "" : " ") << input.name.view();
    words << ": found " << scalars[i];
    if (scalars[i] != HostTypeOf<int>::scalar) words << " " << found[i].shape;
    return words << ", expected " << wanted << " " << input.shape, words;
  }
  return words;
}();

template <class Scalar, Shape S>
void add_input(Batch& inputs, const HostTensorOf<Scalar, S>& tensor) {
  if constexpr (std::same_as<Scalar, Natural>)
    inputs.naturals.push_back(tensor.values());
  else
    inputs.reals.push_back(RealSpan(tensor.values()));
  inputs.shapes.push_back(tensor.shape());
}

/// Which inputs have `batch` as their first axis.
template <ShapeList Inputs, ShapeList Naturals>
std::vector<bool> inputs_with_rows() {
  std::vector<bool> has_rows;
  const auto add = [&](const Param& input) { has_rows.push_back(input.shape.rank > 0 && input.shape[0] == batch); };
  std::ranges::for_each(Inputs::list, add);
  std::ranges::for_each(Naturals::list, add);
  return has_rows;
}

}  // namespace tenon::detail
