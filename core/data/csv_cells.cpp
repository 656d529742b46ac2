#include "csv_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tenon/text.h"
#include "words.h"

namespace tenon::data {
namespace {

constexpr std::string_view missing_marks[] = {"", "?", "na", "n/a", "null"};

bool is_number(std::string_view text) { return parse_double(text).has_value(); }

bool is_missing(std::string_view text) { return std::ranges::count(missing_marks, lower(text)) != 0; }

/// "3:0.5", an entry of a sparse row.
bool is_sparse_entry(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && parse_unsigned(word.substr(0, colon)) && is_number(word.substr(colon + 1));
}

bool all_words(std::string_view text, bool (*test)(std::string_view)) {
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (!test(word)) return false;
  }
  return true;
}

/// Is the text several numbers with `separator` between them?
bool is_row_of_numbers(std::string_view text, char separator) {
  std::string spaced(text);
  return std::ranges::count(text, separator) != 0 &&
         (std::ranges::replace(spaced, separator, ' '), all_words(spaced, is_number));
}

/// The kind of table that a cell is a whole row of; empty if it is none.
std::string_view foreign_form(std::string_view text) {
  if (is_row_of_numbers(text, ';')) return "semicolon-separated";
  if (is_row_of_numbers(text, '\t')) return "tab-separated";
  if (is_row_of_numbers(text, ' ')) return "blank-separated";
  const bool is_sparse = is_number(take_word(text)) && !trim(text).empty() && all_words(text, is_sparse_entry);
  return is_sparse ? "sparse (libsvm)" : "";
}

/// The same for a line of names.
std::string_view foreign_header(std::string_view text) {
  if (text.find(';') != std::string_view::npos) return "semicolon-separated";
  if (text.find('\t') != std::string_view::npos) return "tab-separated";
  return foreign_form(text);
}

std::string foreign(std::string_view form) { return fmt::format("found a {} table, expected commas", form); }

/// "1e999", "1e-999".
bool is_out_of_range(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos || !is_number(text.substr(0, e))) return false;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
  return !exponent.empty() && exponent.find_first_not_of("0123456789") == std::string_view::npos;
}

bool has_commas_inside(std::string_view text) {
  std::string bare(text);
  return std::erase(bare, ',') != 0 && is_number(bare);
}

constexpr auto lone_return = "found a carriage return inside a line, expected LF or CRLF line ends";

std::string found(std::string_view text, std::string_view note = "") {
  return fmt::format("found {}{}, expected a number", quote(text), note);
}

}  // namespace

std::optional<double> number_in(const Cell& cell) {
  const std::optional<double> number = parse_double(cell.in_quotes ? trim(cell.text) : cell.text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string not_a_number(const Cell& cell) {
  const std::string_view text = trim(cell.text);
  if (text.empty()) return "found an empty cell (missing value), expected a number";
  if (is_missing(text)) return found(text, " (missing value)");
  if (is_number(text)) return found(text, " (not finite)");
  if (is_out_of_range(text)) return found(text, " (beyond the range of binary64)");
  if (const std::string_view form = foreign_form(text); !form.empty()) return foreign(form);
  if (text.find('\r') != std::string_view::npos && !cell.in_quotes) return lone_return;
  return found(text, has_commas_inside(text) ? " (commas inside a number)" : "");
}

std::string flaw_of_name(std::string_view name) {
  const std::string_view text = trim(name);
  if (text.empty()) return "found a column without name, expected a name";
  if (is_missing(text)) return fmt::format("found {} as name (missing value), expected a name", quote(text));
  return is_utf8(name) ? "" : fmt::format("found the name {}, expected UTF-8", quote(name));
}

std::string flaw_of_bare_name(std::string_view name) {
  if (name.find('\r') != std::string_view::npos) return lone_return;
  const std::string_view form = foreign_header(name);
  return form.empty() ? flaw_of_name(name) : foreign(form);
}

std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(std::span<const std::string> names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [entry, is_new] = seen.emplace(names[i], i);
    if (!is_new) return std::pair(entry->second, i);
  }
  return std::nullopt;
}

}  // namespace tenon::data
