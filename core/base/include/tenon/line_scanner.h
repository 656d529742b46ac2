// line_scanner.h: one line of a text form, read from left to right.
//
// Blanks separate, `#` begins a comment. A refusal is an Error without a place, `what: found ..., expected ...`; who
// knows the line adds it (`at_line`). The scanner refers to the text; one thread at a time.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tenon/result.h"
#include "tenon/shape.h"

namespace tenon {

class TENON_API LineScanner {
 public:
  explicit LineScanner(std::string_view line) : line_(line), rest_(line) {}

  /// Is nothing left but blanks and a comment?
  bool at_end();
  /// Takes `mark` if it is next.
  bool accept(char mark);
  /// Takes the word if it is next.
  bool accept_word(std::string_view word);
  /// The longest run of letters, digits and `_ . + -`; may be empty.
  std::string_view word();
  /// What is next, as errors show it: `"word"`, or `the end of the line`.
  std::string found();

  result<void> expect(char mark, std::string_view what);
  /// FILE_MALFORMED unless the line ends here.
  result<void> expect_end();
  /// A name: a word, or any text in double quotes, where \" \\ and \n stand for a quote, a backslash and a line end.
  /// Control characters are refused: a terminal that shows the name would obey them.
  result<std::string> name(std::string_view what);
  /// "(32, batch)"; at most max_rank extents.
  result<Shape> shape(std::string_view what);
  /// "(0, -1)": whole numbers.
  result<Shape> numbers(std::string_view what);

  /// FILE_MALFORMED: "what: found (what is next), expected `expected`".
  tl::unexpected<Error> refuse(std::string_view what, std::string_view expected, std::string hint = {});

 private:
  void skip_blanks();
  result<std::string> quoted_name();
  result<void> check_name(std::string_view text) const;
  template <class Parse>
  result<Shape> list(std::string_view what, std::string_view expected, Parse parse);

  std::string_view line_;
  std::string_view rest_;  // its end
};

/// The name as LineScanner::name reads it: quoted only where it must be.
TENON_API std::string name_text(std::string_view name);

/// A line with its number, counted from 1.
struct NumberedLine {
  std::size_t number = 0;
  std::string_view text;
};

/// Those lines of a text that hold more than blanks and comments. Ends in LF or CRLF; a byte-order mark is passed over.
TENON_API std::vector<NumberedLine> lines_of(std::string_view text);

/// The error with its place before it, "[graph] line 7: ", and the line below it.
TENON_API Error at_line(Error error, std::string_view place, const NumberedLine& line);

}  // namespace tenon
