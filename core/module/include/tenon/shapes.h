// shapes.h: lists of named shapes as types: the parameters, inputs, natural-number inputs or states of a module.
//
// A list is any type with a constexpr array `list`, so that a long one may have a short name: the parameters of a model
// are `ParamsOf<Model>` (model.h), however many they are. Programs, plans, packs and gradients of a module share it.
// Nothing here exists at run time but the arrays themselves.
#pragma once
#include <array>
#include <utility>

#include "tenon/refused.h"

namespace tenon {

namespace detail {
/// Not constexpr: a name that is too long does not compile, and the compiler prints this.
inline void a_name_has_at_most_63_characters() {}
}  // namespace detail

struct Name {
  char text[63]{};
  std::uint8_t length{};

  constexpr Name() = default;
  constexpr Name(std::string_view name) : length(static_cast<std::uint8_t>(name.size())) {
    if (name.size() > sizeof text) detail::a_name_has_at_most_63_characters();
    std::ranges::copy(name.substr(0, sizeof text), text);
  }
  constexpr std::string_view view() const { return {text, length}; }
  constexpr bool empty() const { return length == 0; }
};

/// A shape that may have a name.
struct Param {
  Name name;
  Shape shape;

  constexpr Param() = default;
  constexpr Param(const Shape& s) : shape(s) {}
  constexpr Param(std::string_view n, const Shape& s) : name(n), shape(s) {}
};

/// `param("w1", 128, 64)`; without extents a scalar.
consteval Param param(std::string_view name, std::convertible_to<Extent> auto... extents) {
  Shape shape;
  (shape.push_back(extents), ...);
  return {name, shape};
}

/// `Shapes<param("w1", 128, 64), param("b1", 128)>`, or nameless: `Shapes<Shape{128, 64}, Shape{128}>`.
template <Param... P>
struct Shapes {
  static constexpr std::array<Param, sizeof...(P)> list{P...};
};

template <class L>
concept ShapeList = requires {
  std::span<const Param>(L::list);
};

template <ShapeList L>
inline constexpr std::size_t length = L::list.size();

/// The first list followed by the second.
template <ShapeList A, ShapeList B>
struct Appended {
  static constexpr auto list = [] {
    std::array<Param, length<A> + length<B>> all;
    std::ranges::copy(B::list, std::ranges::copy(A::list, all.begin()).out);
    return all;
  }();
};

/// Something for the parameter of that name: `"fc1.weight"_p = init::zeros()`.
template <Text name, class T>
struct Named {
  T value;
};

/// A name that is looked up at compile time: `"fc1.weight"_p`.
template <Text name>
struct Key {
  template <class T>
  constexpr Named<name, T> operator=(T value) const {
    return {std::move(value)};
  }
};

inline namespace literals {
/// constexpr, not consteval: clang 14 loses consteval literals inside lambdas.
template <Text name>
constexpr Key<name> operator""_p() {
  return {};
}
}  // namespace literals

namespace detail {

/// The position of a name, or the list's length.
constexpr std::size_t find_name(std::span<const Param> list, std::string_view name) {
  const auto found = std::ranges::find(list, name, [](const Param& p) { return p.name.view(); });
  return static_cast<std::size_t>(found - list.begin());
}

/// "parameter 1 fc1.bias (128)"
constexpr void describe(Message& words, std::size_t index, const Param& p) {
  words << "parameter " << index << " " << p.name.view() << (p.name.empty() ? "" : " ") << p.shape;
}

template <ShapeList L, Text name>
inline constexpr Message unknown_name = [] {
  Message words;
  if (find_name(L::list, name.view()) < length<L>) return words;
  words << "[parameters] found " << name.view() << ", expected one of";
  for (const Param& p : L::list) words << " " << p.name.view();
  return words;
}();

template <ShapeList Expected, ShapeList Found>
inline constexpr Message shapes_differ = [] {
  Message words;
  for (std::size_t i = 0; i < std::min(length<Expected>, length<Found>); ++i) {
    if (Expected::list[i].shape == Found::list[i].shape) continue;
    words << "[shapes] " << i << (Expected::list[i].name.empty() ? "" : " ") << Expected::list[i].name.view();
    words << ": found " << Found::list[i].shape << ", expected " << Expected::list[i].shape;
    return words;
  }
  if (length<Expected> != length<Found>)
    words << "[shapes] found " << length<Found> << " of them, expected " << length<Expected>;
  return words;
}();

}  // namespace detail

/// Names aside, is it the same list?
template <ShapeList A, ShapeList B>
inline constexpr bool same_shapes = detail::shapes_differ<A, B>.empty();

/// Calls f with the position of a name, an integral constant; a name that is not there does not compile.
template <ShapeList L, Text name, class F>
constexpr void with_index(Key<name>, const F& f) {
  constexpr std::size_t index = detail::find_name(L::list, name.view());
  if constexpr (index == length<L>)
    refuse<detail::unknown_name<L, name>>();
  else
    f(std::integral_constant<std::size_t, index>{});
}

}  // namespace tenon
