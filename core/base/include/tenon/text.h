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

/// The choice that differs from `word` in the fewest letters, if it is near enough to have been meant.
TENON_API std::optional<std::string> nearest(std::string_view word, std::span<const std::string> choices);

/// Whole decimal number without sign, blanks or exponent; nothing if it is none or does not fit.
TENON_API std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// A finite or infinite decimal number that is the whole of `text`, independent of the locale.
TENON_API std::optional<double> parse_double(std::string_view text);

/// The shortest decimal text that reads back as the same number.
TENON_API std::string shortest(double value);

/// The lower-case letters of an ASCII word; other characters stay.
TENON_API std::string lower(std::string_view text);

}  // namespace tenon
