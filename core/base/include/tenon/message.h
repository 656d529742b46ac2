// message.h: error text written at compile time or at run time by the same code.
//
// A Message is a fixed buffer and allocates nothing; text beyond its capacity is cut off.
#pragma once
#include <concepts>
#include <string_view>

#include "tenon/shape.h"

namespace tenon {

class Message {
 public:
  static constexpr std::size_t capacity = 400;

  constexpr std::string_view view() const { return {text, length}; }
  constexpr bool empty() const { return length == 0; }

  constexpr Message& operator<<(std::string_view part) {
    for (const char c : part.substr(0, capacity - length)) text[length++] = c;
    return *this;
  }

  constexpr Message& operator<<(std::integral auto value) {
    const auto e = static_cast<Extent>(value);
    if (e == dyn) return *this << "dyn";
    return is_named(e) ? letters(detail::first_name - e) : number(e);
  }

  constexpr Message& operator<<(const Shape& shape) {
    *this << "(";
    for (int axis = 0; axis < shape.rank; ++axis) (axis == 0 ? *this : *this << ", ") << shape[axis];
    return *this << ")";
  }

  // Public, so that a Message can be a template argument.
  char text[capacity]{};
  std::size_t length{};

 private:
  constexpr Message& letters(Extent code) {
    if (code > 27) letters((code - 1) / 27);
    const char letter = static_cast<char>('a' + (code - 1) % 27);
    return *this << std::string_view(&letter, 1);
  }

  constexpr Message& number(Extent value) {
    if (value < 0) *this << "-";
    if (value / 10 != 0) digits(value / 10);
    return digit(value % 10);
  }
  constexpr void digits(Extent value) {
    if (value / 10 != 0) digits(value / 10);
    digit(value % 10);
  }
  constexpr Message& digit(Extent value) {
    const char c = static_cast<char>('0' + (value < 0 ? -value : value));
    return *this << std::string_view(&c, 1);
  }
};

/// Writes why a rule refuses and answers an empty shape: `return refuse(why, "rank ", r)`.
template <class... Parts>
constexpr Shape refuse(Message& why, const Parts&... parts) {
  (why << ... << parts);
  return {};
}

}  // namespace tenon
