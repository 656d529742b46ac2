#include "json_text.h"

#include <fmt/format.h>

namespace tenon {
namespace {

/// How many bytes the UTF-8 character at the beginning has; 0 if there is none.
std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first < 0x80                    ? 1
                            : first >= 0xc2 && first < 0xe0 ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return bytes;
}

void append_character(std::string& out, std::string_view character) {
  const char c = character[0];
  if (static_cast<unsigned char>(c) < 0x20) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    return;
  }
  if (c == '"' || c == '\\') out += '\\';
  out += character;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0)
      out += "\\ufffd";
    else
      append_character(out, text.substr(0, bytes));
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out + '"';
}

std::string json_strings(std::span<const std::string> texts) {
  std::string out = "[";
  for (const std::string& text : texts) out.append(out.size() == 1 ? "" : ",").append(json_string(text));
  return out + "]";
}

std::string json_object(const JsonFields& fields) {
  std::string out = "{";
  for (const auto& [key, value] : fields)
    out.append(out.size() == 1 ? "" : ",").append(json_string(key)).append(":").append(value);
  return out + "}";
}

}  // namespace tenon
