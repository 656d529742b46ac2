#include "csv_scanner.h"

#include <algorithm>

#include "words.h"

namespace tenon::data {
namespace {

bool ends_cell(char c) { return c == ',' || c == '\n'; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The carriage return of CRLF is no part of the cell before it.
std::string_view trim_cell(std::string_view text, bool at_line_end) {
  if (at_line_end && text.ends_with('\r')) text.remove_suffix(1);
  if (text.empty() || (text.front() > ' ' && text.back() > ' ')) return text;
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string after_quotes(char found) {
  if (found == ';') return "found a semicolon-separated table, expected commas";
  if (found == '\t') return "found a tab-separated table, expected commas";
  return "found " + quote({&found, 1}) + " after a closing quote, expected a comma or the end of the line";
}

}  // namespace

tl::expected<Cell, std::string> Scanner::next() {
  at_line_start_ = false;
  return at_ != end_ && *at_ == '"' ? quoted_cell() : bare_cell();
}

bool Scanner::nothing_left() const { return std::all_of(at_, end_, is_blank); }

void Scanner::pass_separator() {
  at_line_start_ = at_ == end_ || *at_ == '\n';
  if (at_ == end_) return;
  if (*at_++ == '\n') ++line_;
}

tl::expected<Cell, std::string> Scanner::bare_cell() {
  const char* const begin = at_;
  while (at_ != end_ && !ends_cell(*at_)) {
    if (*at_++ == '"') {
      return tl::unexpected(std::string("found a quote inside a bare cell, expected the whole cell in quotes"));
    }
  }
  const bool at_line_end = at_ == end_ || *at_ == '\n';
  const Cell cell{trim_cell({begin, at_}, at_line_end), false, line_};
  pass_separator();
  return cell;
}

/// Appends to the cell up to the next quote and passes it; false if there is none.
bool Scanner::take_until_quote() {
  const char* const quote = std::find(at_, end_, '"');
  unquoted_.append(at_, quote);
  line_ += static_cast<std::uint64_t>(std::count(at_, quote, '\n'));
  at_ = quote == end_ ? end_ : quote + 1;
  return quote != end_;
}

tl::expected<Cell, std::string> Scanner::quoted_cell() {
  const std::uint64_t line = line_;
  unquoted_.clear();
  ++at_;
  while (true) {
    if (!take_until_quote()) {
      return tl::unexpected("found no closing quote for the cell that begins on line " + std::to_string(line) +
                            ", expected one");
    }
    if (at_ == end_ || *at_ != '"') break;
    unquoted_ += *at_++;
  }
  while (at_ != end_ && *at_ == ' ') ++at_;
  if (end_ - at_ >= 1 && *at_ == '\r' && (end_ - at_ == 1 || at_[1] == '\n')) ++at_;
  if (at_ != end_ && !ends_cell(*at_)) return tl::unexpected(after_quotes(*at_));
  pass_separator();
  return Cell{unquoted_, true, line};
}

}  // namespace tenon::data
