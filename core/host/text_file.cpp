#include "text_file.h"

#include <fstream>
#include <sstream>

namespace tenon::host {

std::optional<std::string> read_text_file(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return std::nullopt;  // a pipe would wait for ever
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!text || stream.bad()) return std::nullopt;
  return text.str();
}

}  // namespace tenon::host
