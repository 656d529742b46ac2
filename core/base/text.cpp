#include "tenon/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>

namespace tenon {
namespace {

using Row = std::vector<std::size_t>;

/// Edits that turn one word into the other: a letter put in, left out or replaced, two neighbours swapped (the optimal
/// string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  Row row(b.size() + 1), above, above_that;
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    above_that = std::exchange(above, std::exchange(row, Row(b.size() + 1, i)));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], above_that[j - 2] + 1);
    }
  }
  return row.back();
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) out.append(out.empty() ? "" : separator).append(part);
  return out;
}

std::string listed(std::span<const std::string> words, std::size_t most, std::string_view separator) {
  if (words.size() <= most) return join(words, separator);
  const bool in_lines = separator.find('\n') != std::string_view::npos;
  return join(words.first(most), separator) + (in_lines ? std::string(separator) : " ") + "and " +
         std::to_string(words.size() - most) + " more";
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> choices) {
  constexpr std::size_t longest = 100;  // nobody mistypes a longer word
  if (word.size() > longest) return std::nullopt;
  const auto distance = [meant = lower(word)](const std::string& choice) {
    return edit_distance(meant, lower(choice));
  };
  const auto best = std::ranges::min_element(choices, {}, distance);
  if (best == choices.end()) return std::nullopt;
  const std::size_t tolerated = std::max<std::size_t>(1, std::max(word.size(), best->size()) / 3);
  return distance(*best) <= tolerated ? std::optional(*best) : std::nullopt;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) { return parse_whole<std::uint64_t>(text); }

std::optional<std::int64_t> parse_signed(std::string_view text) { return parse_whole<std::int64_t>(text); }

std::optional<double> parse_double(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return parse_whole<double>(text);
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string excerpt(std::string_view text, std::size_t most) {
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u; };
  std::string out(text);
  if (text.size() > most) {
    std::size_t end = most * 2 / 3, begin = text.size() - most / 4;  // moved off the inside of a character
    while (end > 0 && continues(end)) --end;
    while (begin < text.size() && continues(begin)) ++begin;
    out = std::string(text.substr(0, end)) + "..." + std::string(text.substr(begin));
  }
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return out;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> choices) {
  const std::optional<std::string> meant = nearest(word, choices);
  return meant ? "did you mean " + *meant + "?" : std::string();
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace tenon
