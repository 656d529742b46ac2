// shape.h: the extents of a tensor, some of which may wait until a program is recorded.
//
// A Shape is a plain constexpr value and a structural type: one object serves as run-time shape, as template argument
// and as operand of a shape rule. No ownership, no hidden state.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tenon/export.h"

namespace tenon {

using Extent = std::int64_t;

/// Some extent that is known only when a program is recorded. It is -1, as in the reshape of NumPy and PyTorch.
inline constexpr Extent dyn = -1;

namespace detail {
/// Named extents lie below this; the name is the distance, read in base 27.
inline constexpr Extent first_name = -(Extent{1} << 32);
}  // namespace detail

/// A named extent: any number, but the same one wherever the name stands in one call. Up to twelve small letters.
consteval Extent extent(std::string_view name) {
  Extent code = 0;
  for (const char letter : name) code = code * 27 + (letter - 'a' + 1);
  return detail::first_name - code;
}

inline constexpr Extent batch = extent("batch");

constexpr bool is_named(Extent e) { return e < detail::first_name; }
constexpr bool is_known(Extent e) { return e != dyn && !is_named(e); }

inline constexpr int max_rank = 8;

struct Shape {
  Extent extent[max_rank]{};
  std::uint8_t rank{};

  constexpr Shape() = default;

  template <std::convertible_to<Extent>... E>
  requires(sizeof...(E) >= 1 && sizeof...(E) <= max_rank) constexpr explicit(sizeof...(E) == 1) Shape(E... e)
      : extent{static_cast<Extent>(e)...}, rank(static_cast<std::uint8_t>(sizeof...(E))) {}

  /// Takes the first max_rank extents; who reads shapes from a file checks the rank first.
  static constexpr Shape of(std::span<const Extent> extents) {
    Shape shape;
    for (const Extent e : extents) shape.push_back(e);
    return shape;
  }

  /// Negative axes count from the end.
  constexpr Extent operator[](int axis) const { return extent[axis < 0 ? axis + rank : axis]; }
  constexpr Extent& operator[](int axis) { return extent[axis < 0 ? axis + rank : axis]; }

  constexpr std::span<const Extent> extents() const { return {extent, rank}; }
  constexpr std::span<Extent> extents() { return {extent, rank}; }
  constexpr Shape first(int count) const { return of(extents().first(static_cast<std::size_t>(count))); }
  constexpr Shape from(int axis) const { return of(extents().subspan(static_cast<std::size_t>(axis))); }

  constexpr void push_back(Extent e) {
    if (rank < max_rank) extent[rank++] = e;
  }

  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

constexpr Shape operator+(Shape a, const Shape& b) {
  for (const Extent e : b.extents()) a.push_back(e);
  return a;
}

// Unknown extents. A shape with dyn stands for some of the shapes that it admits: a rule refuses only what no number
// makes right. A shape with a named extent stands for every number: a rule refuses what not all make right. The same
// rule checks the real extents when the program is recorded.

constexpr int count_dyn(const Shape& s) { return static_cast<int>(std::ranges::count(s.extents(), dyn)); }
constexpr int count_named(const Shape& s) { return static_cast<int>(std::ranges::count_if(s.extents(), is_named)); }
constexpr bool is_static(const Shape& s) { return std::ranges::all_of(s.extents(), is_known); }

/// Must, or with dyn could, the two extents be equal?
constexpr bool agree(Extent a, Extent b) { return a == b || a == dyn || b == dyn; }

/// What is known about an extent that equals both.
constexpr Extent meet(Extent a, Extent b) { return a == dyn ? b : a; }

constexpr bool agree(const Shape& a, const Shape& b) {
  return std::ranges::equal(a.extents(), b.extents(), [](Extent x, Extent y) { return agree(x, y); });
}

/// Is every tensor of shape `special` one of shape `general`?
constexpr bool admits(const Shape& general, const Shape& special) {
  return std::ranges::equal(general.extents(), special.extents(),
                            [](Extent g, Extent s) { return g == s || g == dyn || (is_named(g) && s != dyn); });
}

/// Product of the known extents; programs ask could_be_tensor first where extents come from outside.
constexpr Extent known_elements(const Shape& s) {
  Extent product = 1;
  for (const Extent e : s.extents()) product *= is_known(e) ? e : 1;
  return product;
}

/// Number of elements; the name if it is one named extent, dyn if it is not known otherwise.
constexpr Extent elements(const Shape& s) {
  if (is_static(s)) return known_elements(s);
  const bool one_name = count_dyn(s) == 0 && count_named(s) == 1 && known_elements(s) == 1;
  return one_name ? *std::ranges::find_if(s.extents(), is_named) : dyn;
}

/// More elements than any machine can hold: every byte count computed from an accepted shape fits 64 bits.
inline constexpr Extent most_elements = Extent{1} << 48;

/// Number of elements of a static shape, or nothing when it is negative somewhere or exceeds most_elements.
constexpr std::optional<Extent> checked_elements(const Shape& s) {
  Extent product = 1;
  bool has_zero = false;
  for (const Extent e : s.extents()) {
    if (e < 0) return std::nullopt;
    if (e == 0) {
      has_zero = true;
      continue;
    }
    if (e > most_elements / product) return std::nullopt;
    product *= e;
  }
  return has_zero ? 0 : product;
}

/// Do some numbers in place of the unknown extents make it the shape of a tensor? They count as 1: not even a 0 among
/// them makes up for known extents that are too many. Products of the extents of such a shape do not overflow.
constexpr bool could_be_tensor(Shape s) {
  for (Extent& e : s.extents()) e = is_known(e) ? e : 1;
  return checked_elements(s).has_value();
}

/// "(32, 128)", "(batch, dyn)".
TENON_API std::string to_string(const Shape& shape);

}  // namespace tenon
