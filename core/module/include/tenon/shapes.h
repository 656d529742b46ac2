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

constexpr std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// Does any name stand there twice? Hashes are sorted, since compilers allow few steps for long lists.
template <ShapeList L>
consteval bool may_repeat_names() {
  std::array<std::uint64_t, length<L>> hashes{};
  std::size_t count = 0;
  for (const Param& p : L::list)
    if (!p.name.empty()) hashes[count++] = hash_of(p.name.view());
  const std::span named = std::span(hashes).first(count);
  std::ranges::sort(named);
  return std::ranges::adjacent_find(named) != named.end();
}

/// A name that stands for two tensors of a module.
template <ShapeList P, ShapeList S>
inline constexpr Message repeated_name = [] {
  using All = Appended<P, S>;
  Message words;
  if (!may_repeat_names<All>()) return words;
  const auto say = [&](std::size_t i) {
    const bool is_state = i >= length<P>;
    words << (is_state ? "state " : "parameter ") << (is_state ? i - length<P> : i) << " " << All::list[i].shape;
  };
  for (std::size_t i = 0; i < length<All> && words.empty(); ++i) {
    const std::size_t first = find_name(All::list, All::list[i].name.view());
    if (All::list[i].name.empty() || first == i) continue;
    words << "[parameters] found the name " << All::list[i].name.view() << " twice, ";
    say(first);
    words << " and ";
    say(i);
    words << ", expected two names";
  }
  return words;
}();

/// Of which parameter a name is one of an optimizer's moments in a file, `optimizer.m.fc1.weight`; empty if of none.
constexpr std::string_view parameter_of_moment(std::string_view name) {
  constexpr std::string_view prefix = "optimizer.";
  if (!name.starts_with(prefix)) return {};
  const std::size_t point = name.find('.', prefix.size());
  return point == std::string_view::npos ? std::string_view{} : name.substr(point + 1);
}

/// A tensor of a module that is called as a moment of one of its parameters is.
template <ShapeList P, ShapeList S>
inline constexpr Message name_of_moment = [] {
  using All = Appended<P, S>;
  Message words;
  for (const Param& p : All::list) {
    const std::string_view parameter = parameter_of_moment(p.name.view());
    if (!words.empty() || parameter.empty() || find_name(P::list, parameter) == length<P>) continue;
    words << "[parameters] found the name " << p.name.view() << ", which files give a moment of " << parameter
          << ", expected another";
  }
  return words;
}();

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

/// Does not compile where a name stands for two tensors of a module, or would in a file. The parameters' own first: a
/// plan refuses them with the same words, and a compiler says them once.
template <ShapeList P, ShapeList S>
constexpr void check_names() {
  using None = Shapes<>;
  if constexpr (!repeated_name<P, None>.empty())
    refuse<repeated_name<P, None>>();
  else if constexpr (!name_of_moment<P, None>.empty())
    refuse<name_of_moment<P, None>>();
  else if constexpr (!repeated_name<P, S>.empty())
    refuse<repeated_name<P, S>>();
  else
    refuse<name_of_moment<P, S>>();
}

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
