#include "words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::data {
namespace {

constexpr std::string_view blanks = " \t\r";

struct Utf8Row {
  unsigned char first_low, first_high;    // of the first byte
  unsigned char second_low, second_high;  // of the second; later ones are 80..BF
  std::size_t length;
};

// Table 3-7 of the Unicode Standard: no overlong forms, no surrogates, nothing beyond U+10FFFF.
constexpr Utf8Row utf8_rows[] = {{0x00, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                 {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
                                 {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool between(unsigned char low, unsigned char byte, unsigned char high) { return low <= byte && byte <= high; }

bool fits(const Utf8Row& row, std::string_view text) {
  if (!between(row.first_low, byte_at(text, 0), row.first_high) || text.size() < row.length) return false;
  if (row.length > 1 && !between(row.second_low, byte_at(text, 1), row.second_high)) return false;
  for (std::size_t i = 2; i < row.length; ++i) {
    if (!between(0x80, byte_at(text, i), 0xBF)) return false;
  }
  return true;
}

/// Bytes of the character that `text` begins with; 0 if it begins with none.
std::size_t character_bytes(std::string_view text) {
  const auto row = std::ranges::find_if(utf8_rows, [&](const Utf8Row& r) { return fits(r, text); });
  return row == std::end(utf8_rows) ? 0 : row->length;
}

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7F; }

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty() && out.size() < limit) {
    const std::size_t bytes = character_bytes(text);
    const bool readable = bytes != 0 && !is_control(byte_at(text, 0));
    out += readable ? std::string(text.substr(0, bytes)) : fmt::format("\\x{:02x}", byte_at(text, 0));
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return text.empty() ? out : out + "...";
}

std::string quote(std::string_view text) { return '"' + printable(text) + '"'; }

std::string_view take_word(std::string_view& rest) {
  rest = trim(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
  rest.remove_prefix(word.size());
  return word;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tenon::data
