// fields.h: the members of a plain struct, in order and with their names.
//
// C++20 has no reflection. This is the way of Boost.PFR, cut down to what models need: aggregates of at most 16 members
// without base classes. Everything happens at compile time; the check at the end fails on a compiler that spells the
// pointer to a member in a way that is not understood here.
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tenon::fields {

inline constexpr std::size_t max_members = 16;

namespace detail {

/// Initialises a member of any type, in unevaluated code.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

template <class T, std::size_t n = max_members + 1>
consteval std::size_t count_members() {
  if constexpr (n == 0 || takes<T>(std::make_index_sequence<n>{}))
    return n;
  else
    return count_members<T, n - 1>();
}

}  // namespace detail

/// Number of members; one more than max_members stands for any number above.
template <class T>
inline constexpr std::size_t count = std::is_empty_v<T> ? 0 : detail::count_members<T>();

/// References to the members, a std::tuple.
template <class T>
constexpr auto tie([[maybe_unused]] T& t) {
  constexpr std::size_t n = count<std::remove_const_t<T>>;
  static_assert(n <= max_members, "[model] found more than 16 members, expected fewer: group some in a struct");
// clang-format off
#define TENON_TIE(number, ...) \
  else if constexpr (n == number) { auto& [__VA_ARGS__] = t; return std::tie(__VA_ARGS__); }
  if constexpr (n == 0 || n > max_members) return std::tuple<>();
  TENON_TIE(1, a)
  TENON_TIE(2, a, b)
  TENON_TIE(3, a, b, c)
  TENON_TIE(4, a, b, c, d)
  TENON_TIE(5, a, b, c, d, e)
  TENON_TIE(6, a, b, c, d, e, f)
  TENON_TIE(7, a, b, c, d, e, f, g)
  TENON_TIE(8, a, b, c, d, e, f, g, h)
  TENON_TIE(9, a, b, c, d, e, f, g, h, i)
  TENON_TIE(10, a, b, c, d, e, f, g, h, i, j)
  TENON_TIE(11, a, b, c, d, e, f, g, h, i, j, k)
  TENON_TIE(12, a, b, c, d, e, f, g, h, i, j, k, l)
  TENON_TIE(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  TENON_TIE(14, a, b, c, d, e, f, g, h, i, j, k, l, m, o)
  TENON_TIE(15, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p)
  TENON_TIE(16, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q)
#undef TENON_TIE
  // clang-format on
}

namespace detail {

/// Makes compilers spell a pointer with the member it points to.
template <class P>
struct Pointer {
  P to;
};

template <class T>
inline constexpr T example{};

template <auto pointer>
consteval std::string_view spelling() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_part_of_name(char c) {
  return c == '_' || ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

/// "... = Pointer<...>{(& example<Net>.Net::weight)}; ...]" gives "weight": the last name before the last brace.
consteval std::string_view last_name(std::string_view text) {
  std::size_t end = text.rfind('}');
  while (!is_part_of_name(text[end - 1])) --end;
  std::size_t begin = end;
  while (is_part_of_name(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

}  // namespace detail

/// The name of member `index` of T.
template <class T, std::size_t index>
consteval std::string_view name() {
  constexpr auto* member = &std::get<index>(tie(detail::example<T>));
  return detail::last_name(detail::spelling<detail::Pointer<decltype(member)>{member}>());
}

namespace detail {
struct Probe {
  int first;
  float second_one;
};
static_assert(name<Probe, 0>() == "first" && name<Probe, 1>() == "second_one",
              "[fields] this compiler spells pointers to members in a way that is not understood here");
}  // namespace detail

}  // namespace tenon::fields
