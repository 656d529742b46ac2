// csv_scanner.h: cuts comma-separated text into cells. Private to the data layer.
//
// Borrows the text. One thread.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tenon::data {

struct Cell {
  std::string_view text;  // without quotes or the blanks around a bare cell; valid until the next cell is read
  bool in_quotes = false;
  std::uint64_t line = 1;  // where it begins
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  /// The next cell, or what is wrong with it: "found ..., expected ...".
  tl::expected<Cell, std::string> next();

  bool at_line_start() const { return at_line_start_; }
  std::uint64_t line() const { return line_; }

  /// Is there nothing but blanks and line ends?
  bool nothing_left() const;

 private:
  tl::expected<Cell, std::string> bare_cell();
  tl::expected<Cell, std::string> quoted_cell();
  bool take_until_quote();
  void pass_separator();

  const char* at_;
  const char* end_;
  std::uint64_t line_ = 1;
  bool at_line_start_ = true;
  std::string unquoted_;  // the text of the last cell in quotes
};

}  // namespace tenon::data
