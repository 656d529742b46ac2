// refused.h: error text as a compiler error.
//
// `refuse<message>()` does not compile when `message`, a constexpr Message of static storage, says something, and the
// first line that the compiler prints is that text. Nothing of it exists at run time.
#pragma once
#include <utility>

#include "tenon/message.h"

namespace tenon {

/// A string as a template argument.
template <std::size_t size>
struct Text {
  char text[size]{};

  constexpr Text() = default;
  constexpr Text(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  constexpr std::string_view view() const { return {text, size - 1}; }
};

/// Never defined: compilers print its arguments when they refuse to use it.
template <Text... lines>
struct Refused;

namespace detail {

// clang prints no more than 36 characters of a string argument, hence several.
#ifdef __clang__
inline constexpr std::size_t refused_line_length = 36;
#else
inline constexpr std::size_t refused_line_length = Message::capacity;
#endif

/// What is printed as the first line: all of it, or as much as ends with a space.
constexpr std::string_view first_refused_line(std::string_view text) {
  if (text.size() <= refused_line_length) return text;
  const std::size_t space = text.substr(0, refused_line_length).rfind(' ');
  return text.substr(0, space == std::string_view::npos ? refused_line_length : space + 1);
}

constexpr std::string_view refused_line(std::string_view text, std::size_t index) {
  for (; index > 0; --index) text.remove_prefix(first_refused_line(text).size());
  return first_refused_line(text);
}

constexpr std::size_t count_refused_lines(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_refused_line(text).size());
  return count;
}

template <const Message& message, std::size_t index>
consteval auto refused_text() {
  constexpr std::string_view line = refused_line(message.view(), index);
  Text<line.size() + 1> text;
  std::ranges::copy(line, text.text);
  text.text[line.size()] = '\0';  // written, not defaulted: clang prints an array as a string only then
  return text;
}

template <const Message& message, std::size_t... line>
constexpr void refuse_with_lines(std::index_sequence<line...>) {
  static_cast<void>(sizeof(Refused<refused_text<message, line>()...>));
}

}  // namespace detail

template <const Message& message>
constexpr void refuse() {
#if __cpp_static_assert >= 202306L
  static_assert(message.empty(), message);
#else
  if constexpr (!message.empty())
    detail::refuse_with_lines<message>(std::make_index_sequence<detail::count_refused_lines(message.view())>{});
#endif
}

}  // namespace tenon
