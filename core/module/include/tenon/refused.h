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

/// Never defined: compilers print its arguments, Texts or single letters, when they refuse to use it.
template <auto... text>
struct Refused;

namespace detail {

// clang prints no more than 36 characters of a string argument, hence several. clang 14 prints numbers for them, but
// letters as such: '[', 'a', 'd', 'd', ']'.
#if defined(__clang__) && __clang_major__ < 15
#define TENON_REFUSED_LETTERS
#endif
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

constexpr std::size_t count_refused_parts(std::string_view text) {
#ifdef TENON_REFUSED_LETTERS
  return text.size();
#else
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_refused_line(text).size());
  return count;
#endif
}

template <const Message& message, std::size_t index>
consteval auto refused_part() {
#ifdef TENON_REFUSED_LETTERS
  return message.text[index];
#else
  constexpr std::string_view line = refused_line(message.view(), index);
  Text<line.size() + 1> text;
  std::ranges::copy(line, text.text);
  text.text[line.size()] = '\0';  // written, not defaulted: clang prints an array as a string only then
  return text;
#endif
}

/// The error stands in a local class, so that constant expressions that come by stay constant: one error.
template <const Message& message, std::size_t... index>
constexpr void refuse_with_text(std::index_sequence<index...>) {
  struct Here {
    char refused[sizeof(Refused<refused_part<message, index>()...>)];
  };
}

}  // namespace detail

template <const Message& message>
constexpr void refuse() {
#if __cpp_static_assert >= 202306L
  static_assert(message.empty(), message.view());
#else
  if constexpr (!message.empty()) {
    detail::refuse_with_text<message>(std::make_index_sequence<detail::count_refused_parts(message.view())>{});
  }
#endif
}

}  // namespace tenon
#undef TENON_REFUSED_LETTERS
