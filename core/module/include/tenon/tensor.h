// tensor.h: values of a program whose shapes the compiler knows: Tensor<batch, 64>, Naturals<batch>, State<64>.
//
// Each is a Value (value.h) and nothing more: two words, copied freely, valid as long as its recorder. Unknown extents
// follow shape.h. What is done to them does not compile where the shape rule refuses it; the refused operation is then
// a Poison, which everything accepts, so that one mistake gives one error.
#pragma once
#include "tenon/refused.h"
#include "tenon/value.h"

namespace tenon {

template <Shape S>
class TensorOf;
template <Shape S>
class NaturalsOf;
template <Shape S, int initial_value = 0>
class StateOf;

/// Real numbers: `Tensor<batch, 64>`.
template <Extent... E>
using Tensor = TensorOf<Shape{E...}>;
/// Natural numbers: labels, token ids, indices.
template <Extent... E>
using Naturals = NaturalsOf<Shape{E...}>;
/// What a module remembers besides its parameters (running statistics): a member of a model, zero at first.
template <Extent... E>
using State = StateOf<Shape{E...}>;

/// The result of an operation that does not compile.
struct Poison {};

template <class T>
inline constexpr bool is_typed = false;
template <Shape S>
inline constexpr bool is_typed<TensorOf<S>> = true;
template <Shape S>
inline constexpr bool is_typed<NaturalsOf<S>> = true;
template <Shape S, int initial_value>
inline constexpr bool is_typed<StateOf<S, initial_value>> = true;

template <class T>
inline constexpr bool is_state = false;
template <Shape S, int initial_value>
inline constexpr bool is_state<StateOf<S, initial_value>> = true;

/// What the compiler checks.
template <class T>
concept TypedOperand = is_typed<T> || std::same_as<T, Poison>;

/// What operations apply to. A plain Value beside typed tensors leaves the check to the recorder and gives a Value.
template <class T>
concept Operand = TypedOperand<T> || std::same_as<T, Value>;

namespace detail {

constexpr Message& operator<<(Message& words, const OperandType& type) {
  return words << name(type.kind) << " " << type.shape;
}

template <OperandType expected, OperandType found>
inline constexpr Message no_conversion = [] {
  Message words;
  words << "[conversion] found ";
  detail::operator<<(words, found) << ", expected ";
  detail::operator<<(words, expected);
  return words;
}();

/// Fails to compile unless every tensor of one type is one of the other.
template <OperandType expected, OperandType found>
constexpr void check_conversion() {
  if constexpr (!admits(expected.shape, found.shape)) refuse<no_conversion<expected, found>>();
}

}  // namespace detail

template <Shape S>
class TensorOf {
 public:
  static constexpr Shape shape = S;
  static constexpr OperandType type{Kind::real, S};

  constexpr TensorOf() = default;
  constexpr explicit TensorOf(Value v) : value(v) {}
  constexpr TensorOf(Poison) {}

  /// Forgetting an extent is implicit: a Tensor<32, 64> is a Tensor<dyn, 64>.
  template <Shape From>
  requires(From != S) constexpr TensorOf(const TensorOf<From>& from) : value(from.value) {
    detail::check_conversion<type, TensorOf<From>::type>();
  }
  /// Reading a state.
  template <Shape From, int initial_value>
  constexpr TensorOf(const StateOf<From, initial_value>& from) : value(from.value) {
    detail::check_conversion<type, TensorOf<From>::type>();
  }

  constexpr explicit operator Value() const { return value; }

  Value value;
};

template <Shape S>
class NaturalsOf {
 public:
  static constexpr Shape shape = S;
  static constexpr OperandType type{Kind::natural, S};

  constexpr NaturalsOf() = default;
  constexpr explicit NaturalsOf(Value v) : value(v) {}
  constexpr NaturalsOf(Poison) {}

  template <Shape From>
  requires(From != S) constexpr NaturalsOf(const NaturalsOf<From>& from) : value(from.value) {
    detail::check_conversion<type, NaturalsOf<From>::type>();
  }

  constexpr explicit operator Value() const { return value; }

  Value value;
};

/// Reads as a tensor; `update` gives it its next value.
template <Shape S, int initial_value>
class StateOf {
 public:
  static constexpr Shape shape = S;
  static constexpr OperandType type{Kind::real, S};
  static constexpr int initial = initial_value;  // of every element
  static_assert(is_static(S), "[state] the extents of a state are known");

  constexpr StateOf() = default;
  constexpr explicit StateOf(Value v) : value(v) {}

  constexpr explicit operator Value() const { return value; }

  Value value;
};

static_assert(sizeof(Tensor<32, 64>) == sizeof(Value) && std::is_trivially_copyable_v<Tensor<32, 64>>);

namespace detail {

template <Shape state, OperandType found>
inline constexpr Message no_update = [] {
  Message words;
  if (found.kind == Kind::real && agree(state, found.shape)) return words;
  words << "[update] state " << state << ": found ";
  detail::operator<<(words, found) << ", expected real " << state;
  return words;
}();

template <OperandType found, Shape wanted>
inline constexpr Message no_refinement = [] {
  Message words;
  const bool unknown = std::ranges::equal(found.shape.extents(), wanted.extents(), [](Extent have, Extent want) {
    return agree(have, want) || is_named(have) || is_named(want);
  });
  if (!unknown) words << "[refine] x " << found.shape << ": expected " << wanted;
  return words;
}();

/// Do extents met at recording fit what the program says about them? Equal names stand for equal numbers.
constexpr bool keeps(const Shape& found, const Shape& promised) {
  if (found.rank != promised.rank) return false;
  for (int axis = 0; axis < found.rank; ++axis) {
    const Extent want = promised[axis];
    const auto first = std::ranges::find(promised.extents(), want) - promised.extents().begin();
    const Extent same = is_known(want) ? want : found[static_cast<int>(first)];
    if (want != dyn && !agree(found[axis], same)) return false;
  }
  return true;
}

inline void check_refinement(Value value, const Shape& wanted) {
  const Shape found = value.recorder->shape(value);
  if (keeps(found, wanted)) return;
  value.recorder->fail_with(
      {Reason::SHAPE_MISMATCH, "[refine] x: found " + to_string(found) + ", expected " + to_string(wanted), {}});
}

}  // namespace detail

/// When the run has succeeded, `state` becomes `value`.
template <Shape S, int initial_value, Operand T>
void update(const StateOf<S, initial_value>& state, const T& value) {
  if constexpr (is_typed<T>) refuse<detail::no_update<S, T::type>>();
  if constexpr (!std::same_as<T, Poison>) state.value.recorder->update_state(state.value, Value(value));
}

/// Says about unknown extents what the compiler cannot know: refine<batch, 64>(x). Checked when recorded.
template <Extent... E, TypedOperand T>
auto refine(const T& x) {
  if constexpr (std::same_as<T, Poison>) {
    return x;
  } else if constexpr (!detail::no_refinement<T::type, Shape{E...}>.empty()) {
    refuse<detail::no_refinement<T::type, Shape{E...}>>();
    return Poison{};
  } else {
    detail::check_refinement(x.value, Shape{E...});
    return std::conditional_t<T::type.kind == Kind::real, Tensor<E...>, Naturals<E...>>(x.value);
  }
}

}  // namespace tenon
