// fixed_text.h: text that can be a template argument. A structural constexpr value; owns its characters.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

namespace tenon::plugin {

template <std::size_t Length>
struct FixedText {
  char characters[Length + 1]{};

  constexpr FixedText() = default;
  constexpr FixedText(const char (&literal)[Length + 1]) { std::copy(literal, literal + Length, characters); }
  constexpr explicit FixedText(std::array<char, Length> given) { std::copy(given.begin(), given.end(), characters); }

  template <std::size_t Other>
  constexpr FixedText<Length + Other> operator+(const FixedText<Other>& tail) const {
    FixedText<Length + Other> sum;
    std::copy(characters, characters + Length, sum.characters);
    std::copy(tail.characters, tail.characters + Other, sum.characters + Length);
    return sum;
  }
};
template <std::size_t Size>
FixedText(const char (&)[Size]) -> FixedText<Size - 1>;

namespace detail {
/// A template argument has no address of its own that a constant could point into.
template <FixedText Text>
inline constexpr auto text_of = Text;
}  // namespace detail

}  // namespace tenon::plugin
