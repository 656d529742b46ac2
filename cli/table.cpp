#include "table.h"

#include <algorithm>

#include "tenon/text.h"

namespace tenon::cli {
namespace {

/// How many columns a terminal needs: continuation bytes of UTF-8 take none.
std::size_t width(const std::string& word) {
  return static_cast<std::size_t>(std::ranges::count_if(word, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string aligned(std::span<const std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += row[c];
      if (c + 1 < row.size()) line.append(widths[c] - width(row[c]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string indented(std::string_view text, std::size_t blanks) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.append(blanks, ' ').append(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string or_dash(const std::string& word) { return word.empty() ? "-" : word; }

std::string one_line(std::string text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t word = std::min(text.find_first_not_of(' ', begin), end);
    if (end > word) out.append(out.empty() ? "" : "; ").append(text, word, end - word);
    begin = end + 1;
  }
  return out;
}

}  // namespace tenon::cli
