#include "tenon/line_scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "tenon/extents.h"
#include "tenon/text.h"

namespace tenon {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.+-").find(c) != std::string_view::npos;
}

std::size_t word_length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_word) - text.begin());
}

/// In UTF-8: U+0000 to U+001F and U+007F to U+009F.
bool begins_with_control(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  return byte(0) < 0x20 || byte(0) == 0x7f || (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F);
}

}  // namespace

void LineScanner::skip_blanks() {
  rest_.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_blank) - rest_.begin()));
}

bool LineScanner::at_end() {
  skip_blanks();
  return rest_.empty() || rest_.front() == '#';
}

bool LineScanner::accept(char mark) {
  skip_blanks();
  if (!rest_.starts_with(mark)) return false;
  rest_.remove_prefix(1);
  return true;
}

bool LineScanner::accept_word(std::string_view wanted) {
  skip_blanks();
  if (rest_.substr(0, word_length(rest_)) != wanted) return false;
  rest_.remove_prefix(wanted.size());
  return true;
}

std::string_view LineScanner::word() {
  skip_blanks();
  const std::string_view taken = rest_.substr(0, word_length(rest_));
  rest_.remove_prefix(taken.size());
  return taken;
}

std::string LineScanner::found() {
  if (at_end()) return "the end of the line";
  const std::size_t length = word_length(rest_);
  const std::size_t blank = static_cast<std::size_t>(std::ranges::find_if(rest_, is_blank) - rest_.begin());
  return "\"" + excerpt(rest_.substr(0, length > 0 ? length : blank), 60) + "\"";
}

tl::unexpected<Error> LineScanner::refuse(std::string_view what, std::string_view expected, std::string hint) {
  return fail(Reason::FILE_MALFORMED, std::string(what) + ": found " + found() + ", expected " + std::string(expected),
              std::move(hint));
}

result<void> LineScanner::expect(char mark, std::string_view what) {
  if (accept(mark)) return {};
  return refuse(what, std::string("\"") + mark + "\"");
}

result<void> LineScanner::expect_end() {
  if (at_end()) return {};
  return refuse("after this", "the end of the line");
}

result<std::string> LineScanner::name(std::string_view what) {
  if (accept('"')) return quoted_name();
  const std::string_view taken = word();
  if (taken.empty()) return refuse(what, "a name");
  return std::string(taken);
}

result<void> LineScanner::check_name(std::string_view text) const {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (!begins_with_control(text)) continue;
    const std::string_view before = line_.substr(0, static_cast<std::size_t>(text.data() - line_.data()));
    const auto column = 1 + std::ranges::count_if(before, [](char c) { return (c & 0xC0) != 0x80; });
    const auto code = static_cast<unsigned char>(text[text[0] == '\xC2' ? 1 : 0]);
    return fail(
        Reason::FILE_MALFORMED,
        fmt::format("quoted name: found the control character U+{:04X} in column {}, expected none", code, column),
        "take it out of the name");
  }
  return {};
}

result<std::string> LineScanner::quoted_name() {
  std::string out;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    if (rest_[i] == '"') {
      TENON_CHECK(check_name(rest_.substr(0, i)));
      rest_.remove_prefix(i + 1);
      return out;
    }
    const bool escaped = rest_[i] == '\\' && i + 1 < rest_.size();
    if (escaped) ++i;
    out += escaped && rest_[i] == 'n' ? '\n' : rest_[i];
  }
  rest_ = {};
  return refuse("quoted name", "a closing \"");
}

template <class Parse>
result<Shape> LineScanner::list(std::string_view what, std::string_view expected, Parse parse) {
  TENON_CHECK(expect('(', what));
  Shape out;
  if (accept(')')) return out;
  do {
    if (out.rank == max_rank) return refuse(what, "at most " + std::to_string(max_rank) + " numbers");
    LineScanner before = *this;
    const std::optional<Extent> number = parse(word());
    if (!number) return before.refuse(what, expected);
    out.push_back(*number);
  } while (accept(','));
  TENON_CHECK(expect(')', what));
  return out;
}

result<Shape> LineScanner::shape(std::string_view what) {
  return list(what, "an extent: a whole number, a name of up to 12 small letters, or dyn", parse_extent);
}

result<Shape> LineScanner::numbers(std::string_view what) { return list(what, "a whole number", parse_signed); }

std::string name_text(std::string_view name) {
  if (!name.empty() && std::ranges::all_of(name, is_of_word)) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\' || c == '\n') out += '\\';
    out += c == '\n' ? 'n' : c;
  }
  return out + '"';
}

std::vector<NumberedLine> lines_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<NumberedLine> out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!LineScanner(line).at_end()) out.push_back({number, line});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Error at_line(Error error, std::string_view place, const NumberedLine& line) {
  std::string_view shown = line.text;
  while (!shown.empty() && is_blank(shown.front())) shown.remove_prefix(1);
  error.text =
      std::string(place) + " line " + std::to_string(line.number) + ": " + error.text + "\n    " + excerpt(shown, 200);
  return error;
}

}  // namespace tenon
