// typed_ops.h: every operation of the table over typed tensors: `relu(x)`, `scale(x, Factor{2})`, `reshape<dyn,
// 64>(x)`.
//
// Expanded from the rows (op.h), found by argument-dependent lookup; the same names over plain Values stand in ops.h.
// Attributes that decide the result's shape are a template argument, `reduce_sum<Axes{Shape{0}, true}>(x)`; others
// come last, `gelu(x, GeluForm{.tanh = true})`. At the end: shorter spellings and operators. What has a template
// argument takes plain Values too.
//
// C++ leaves open which operand of `f(x) + g(x)` is recorded first. Where the order must not depend on the compiler
// (two random operations, gradients equal to the last bit), give the first one a name.
#pragma once
#include <type_traits>

#include "tenon/ops.h"
#include "tenon/square.h"
#include "tenon/tensor.h"

namespace tenon {
namespace detail {

/// Has A a field of one of these types?
template <class A, class... Field>
inline constexpr bool has_field = [] {
  bool found = false;
  A attributes{};
  each_field(attributes, [&]<class F>(std::string_view, const F&) {
    if ((std::same_as<F, Field> || ...)) found = true;
  });
  return found;
}();

/// Stands for the template argument of operations that have none.
struct NoPart {};

/// What of the attributes A is a template argument: all of them where they decide the shape. clang 14 takes no doubles
/// there, so that kinds which hold some need a row of their own below.
template <class A>
struct ShapePart {
  using type = std::conditional_t<has_field<A, Shape, Extent> && !has_field<A, double>, A, NoPart>;
};
/// `smooth_max_pool<Pool{.kernel = {2, 2}}>(x, SmoothPool{.beta = 3})`
template <>
struct ShapePart<SmoothPool> {
  using type = Pool;
};

/// `whole` with the fields of `part` in place of its own of the same names.
template <class Whole, class Part>
constexpr Whole completed(Whole whole, const Part& part) {
  each_field(part, [&]<class F>(std::string_view name, const F& given) {
    each_field(whole, [&]<class G>(std::string_view other, G& field) {
      if constexpr (std::same_as<F, G>)
        if (name == other) field = given;
    });
  });
  return whole;
}

/// The last argument if it is the attributes, else their defaults.
template <class Whole, class... A>
constexpr Whole attributes_among(const A&... arguments) {
  Whole whole{};
  const auto take = [&]<class T>(const T& argument) {
    if constexpr (std::same_as<T, Whole>) whole = argument;
  };
  (take(arguments), ...);
  return whole;
}

enum class Arguments : std::uint8_t { operands, operands_then_attributes, unclear };

template <class Whole, class... A>
inline constexpr Arguments arguments_kind = [] {
  constexpr std::size_t operands = (std::size_t{Operand<A>} + ... + 0);
  constexpr std::array<bool, sizeof...(A)> is_whole{std::same_as<A, Whole>...};
  if (operands == sizeof...(A)) return Arguments::operands;
  return operands + 1 == sizeof...(A) && is_whole.back() ? Arguments::operands_then_attributes : Arguments::unclear;
}();

template <Op op>
inline constexpr Message unclear_arguments = [] {
  constexpr const OpSpec& row = spec(op);
  Message words;
  words << "[" << row.name << "] takes ";
  for (std::size_t i = 0; i < row.operand_count(); ++i) words << (i == 0 ? "" : ", ") << row.operand(i);
  words << " and then its attributes, if any: found an argument of another type";
  return words;
}();

template <Op op>
inline constexpr Message shape_at_run_time = [] {
  Message words;
  words << "[" << name(op) << "] the attributes decide the shape: found them as an argument, expected a template "
        << "argument";
  return words;
}();

struct Inferred {
  Shape shape;
  Message why;
};

template <Op op, class Whole, auto part, class... A>
consteval Inferred infer_typed() {
  std::array<OperandType, sizeof...(A)> types{};
  std::size_t count = 0;
  const auto take = [&]<class T>(std::type_identity<T>) {
    if constexpr (is_typed<T>) types[count++] = T::type;
  };
  (take(std::type_identity<A>{}), ...);
  Inferred out;
  out.shape = infer(op, std::span(types).first(count), completed(Whole{}, part), out.why);
  return out;
}

// Once for each operation, attributes and operand types. The words stand by themselves because clang 14 takes no
// references to parts of objects as template arguments.
template <Op op, class Whole, auto part, class... A>
inline constexpr Inferred inferred = infer_typed<op, Whole, part, A...>();
template <Op op, class Whole, auto part, class... A>
inline constexpr Message why_not = infer_typed<op, Whole, part, A...>().why;

template <class... A>
Value record_operands(Op op, const Attributes& attributes, const A&... arguments) {
  std::array<Value, max_operands + 1> operands{};  // one more than any operation takes, to be refused
  std::size_t count = 0;
  const auto take = [&]<class T>(const T& argument) {
    if constexpr (Operand<T>)
      if (count < operands.size()) operands[count++] = Value(argument);
  };
  (take(arguments), ...);
  return operands[0].recorder->record(op, std::span(operands).first(count), attributes);
}

template <Op op, class Whole, auto part, class... A>
auto apply_typed(const A&... arguments) {
  if constexpr (!inferred<op, Whole, part, A...>.why.empty()) {
    refuse<why_not<op, Whole, part, A...>>();
    return Poison{};
  } else {
    const Whole whole = completed(attributes_among<Whole>(arguments...), part);
    return TensorOf<inferred<op, Whole, part, A...>.shape>(record_operands(op, whole, arguments...));
  }
}

/// Applies an operation: `part` is the template argument, `arguments` are operands and perhaps the other attributes.
template <Op op, class Whole, auto part, class... A>
auto apply(const A&... arguments) {
  constexpr Arguments kind = arguments_kind<Whole, A...>;
  constexpr bool whole_decides = std::same_as<Whole, std::remove_const_t<decltype(part)>>;
  if constexpr ((std::same_as<A, Poison> || ...)) {
    return Poison{};
  } else if constexpr (kind == Arguments::unclear) {
    refuse<unclear_arguments<op>>();
    return Poison{};
  } else if constexpr ((std::same_as<A, Value> || ...)) {
    return record_operands(op, completed(attributes_among<Whole>(arguments...), part), arguments...);
  } else if constexpr (kind == Arguments::operands_then_attributes && whole_decides) {
    refuse<shape_at_run_time<op>>();
    return Poison{};
  } else {
    return apply_typed<op, Whole, part>(arguments...);
  }
}

}  // namespace detail

#define TENON_TYPED_OP(name, reals, naturals, scalars, attributes, ...)                                \
  template <TypedOperand First, class... More>                                                         \
  auto name(const First& first, const More&... more) {                                                 \
    return detail::apply<Op::name, attributes, detail::ShapePart<attributes>::type{}>(first, more...); \
  }                                                                                                    \
  template <detail::ShapePart<attributes>::type part, Operand First, class... More>                    \
  auto name(const First& first, const More&... more) {                                                 \
    return detail::apply<Op::name, attributes, part>(first, more...);                                  \
  }
TENON_OPS(TENON_TYPED_OP)
#undef TENON_TYPED_OP

// Shorter spellings, a line each.

/// `reshape<dyn, 64>(x)`: one extent may be dyn, "whatever is left".
template <Extent first, Extent... rest, Operand T>
auto reshape(const T& x) {
  return reshape<Target{Shape{first, rest...}}>(x);
}
/// `flatten<2>(x)`: axes first to last become one; `flatten(x)` leaves the batch alone.
template <Extent first, Extent last = -1, Operand T>
auto flatten(const T& x) {
  return flatten<Range{first, last}>(x);
}
/// `unflatten<1, 4, dyn>(x)`: axis 1 becomes two.
template <Extent axis, Extent first, Extent... rest, Operand T>
auto unflatten(const T& x) {
  return unflatten<Split{axis, Shape{first, rest...}}>(x);
}
/// `permute<0, 2, 1>(x)`: the source axis of each result axis.
template <Extent first, Extent... rest, Operand T>
auto permute(const T& x) {
  return permute<Order{Shape{first, rest...}}>(x);
}

/// `concat<1>(a, b, c)`: two or more along an axis, from the left.
template <Extent axis, Operand A, Operand B, Operand... More>
auto concat(const A& left, const B& right, const More&... more) {
  const auto both = concat<Axis{axis}>(left, right);
  if constexpr (sizeof...(More) == 0)
    return both;
  else
    return concat<axis>(both, more...);
}
/// `slice<1, 0, 3>(x)`: elements 0 to 2 of axis 1; numbers count as in Python.
template <Extent axis, Extent start, Extent stop = Slice{}.stop, Operand T>
auto slice(const T& x) {
  return slice<Slice{axis, start, stop}>(x);
}
/// `gather<1>(x, indices)`; `gather(table, ids)` means axis 0.
template <Extent axis, Operand T, Operand I>
auto gather(const T& x, const I& indices) {
  return gather<Axis{axis}>(x, indices);
}
template <Extent axis, Operand T, Operand V, Operand I>
auto scatter_add(const T& x, const V& values, const I& indices) {
  return scatter_add<Axis{axis}>(x, values, indices);
}

// `reduce_sum<0, 1>(x)`: the axes that go; `reduce_sum(x)` means all.
template <Extent first, Extent... rest, Operand T>
auto reduce_sum(const T& x) {
  return reduce_sum<Axes{Shape{first, rest...}}>(x);
}
template <Extent first, Extent... rest, Operand T>
auto reduce_mean(const T& x) {
  return reduce_mean<Axes{Shape{first, rest...}}>(x);
}
template <Extent first, Extent... rest, Operand T>
auto reduce_max(const T& x) {
  return reduce_max<Axes{Shape{first, rest...}}>(x);
}

// Images: `conv2d<Square{.padding = 1}>(x, weight, bias)`, `max_pool2d<Square{.kernel = 2}>(x)`. A Window or a Pool,
// which have a number for each axis, will do too; `conv<Window{...}>` and the others take any number of axes.
template <auto window = Square{}, Operand... T>
auto conv2d(const T&... operands) {
  return conv<window_of<2>(window)>(operands...);
}
template <auto window = Square{}, Operand... T>
auto conv_transpose2d(const T&... operands) {
  return conv_transpose<window_of<2>(window)>(operands...);
}
template <auto pool, Operand... T>
auto max_pool2d(const T&... operands) {
  return max_pool<pool_of<2>(pool)>(operands...);
}
template <auto pool, Operand... T>
auto avg_pool2d(const T&... operands) {
  return avg_pool<pool_of<2>(pool)>(operands...);
}

// Operators, over plain Values too.

template <Operand A, Operand B>
auto operator+(const A& left, const B& right) {
  return add(left, right);
}
template <Operand A, Operand B>
auto operator-(const A& left, const B& right) {
  return sub(left, right);
}
template <Operand A, Operand B>
auto operator*(const A& left, const B& right) {
  return mul(left, right);
}
template <Operand A, Operand B>
auto operator/(const A& left, const B& right) {
  return div(left, right);
}
template <Operand T>
auto operator-(const T& x) {
  return neg(x);
}
template <Operand T>
auto operator*(const T& x, double factor) {
  return scale(x, Factor{factor});
}
template <Operand T>
auto operator*(double factor, const T& x) {
  return scale(x, Factor{factor});
}

}  // namespace tenon
