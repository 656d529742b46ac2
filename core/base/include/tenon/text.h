// text.h: small helpers for the words that people read.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/export.h"

namespace tenon {

/// "a, b, c".
TENON_API std::string join(std::span<const std::string> parts, std::string_view separator = ", ");

/// "a, b and 7 more": at most `most` of the parts. A separator with a line end puts what is left on a line of its own.
TENON_API std::string listed(std::span<const std::string> parts, std::size_t most, std::string_view separator = ", ");

/// The choice that differs from `word` in the fewest letters, if it is near enough to have been meant.
TENON_API std::optional<std::string> nearest(std::string_view word, std::span<const std::string> choices);

/// Whole decimal number without sign, blanks or exponent; nothing if it is none or does not fit.
TENON_API std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// Whole decimal number, negative ones too; nothing if it is none or does not fit.
TENON_API std::optional<std::int64_t> parse_signed(std::string_view text);

/// A decimal number, `inf` or `nan` that is the whole of `text`, independent of the locale.
TENON_API std::optional<double> parse_double(std::string_view text);

/// The shortest decimal text that reads back as the same number.
TENON_API std::string shortest(double value);

/// The text at a length that can be read, for an error: the middle of one of more than `most` bytes is left out,
/// control characters are shown as `?`.
TENON_API std::string excerpt(std::string_view text, std::size_t most);

/// `did you mean WORD?` for the choice that was probably meant, or nothing.
TENON_API std::string did_you_mean(std::string_view word, std::span<const std::string> choices);

/// The lower-case letters of an ASCII word; other characters stay.
TENON_API std::string lower(std::string_view text);

}  // namespace tenon
