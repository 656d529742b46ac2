// words.h: foreign text made fit for an error message. Pure functions; private to the data layer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::data {

bool is_utf8(std::string_view text);

/// `text` with control characters and bytes that are not UTF-8 written as \xNN, cut off after about `limit` bytes.
std::string printable(std::string_view text, std::size_t limit = 40);

/// The same between quotes.
std::string quote(std::string_view text);

/// Cuts the first word, which ends at a blank, off `rest`; empty if none is left.
std::string_view take_word(std::string_view& rest);

std::string_view trim(std::string_view text);

/// "1 field", "2 fields".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace tenon::data
