// ops.h: every operation as a free function over Values: `add(a, b)`, `scale(x, Factor{2})`, `fill(recorder,
// Constant{...})`.
//
// Expanded from the table. Attributes come last and may be left out where they have defaults.
#pragma once
#include <concepts>
#include <type_traits>

#include "tenon/value.h"

namespace tenon {
namespace detail {

/// Values, and the typed tensors that convert to them.
template <class T>
inline constexpr bool is_value = std::is_constructible_v<Value, const std::remove_cvref_t<T>&>;

template <class... A>
Value emit(Recorder& recorder, Op op, const A&... arguments) {
  std::array<Value, max_operands + 1> operands{};
  std::size_t count = 0;
  Attributes attributes = spec(op).defaults;
  const auto take = [&](const auto& argument) {
    if constexpr (is_value<decltype(argument)>) {
      if (count < operands.size()) operands[count++] = Value(argument);
    } else {
      attributes = argument;
    }
  };
  (take(arguments), ...);
  return recorder.record(op, std::span(operands).first(count), attributes);
}

}  // namespace detail

#define TENON_OP_FUNCTION(name, ...)                                \
  template <class... A>                                             \
  Value name(Value first, const A&... more) {                       \
    return detail::emit(*first.recorder, Op::name, first, more...); \
  }                                                                 \
  template <class... A>                                             \
  Value name(Recorder& recorder, const A&... attributes) {          \
    return detail::emit(recorder, Op::name, attributes...);         \
  }
TENON_OPS(TENON_OP_FUNCTION)
#undef TENON_OP_FUNCTION

}  // namespace tenon
