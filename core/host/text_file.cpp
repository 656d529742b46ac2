#include "text_file.h"

#include <array>
#include <fstream>

namespace tenon::host {

std::optional<std::string> read_text_file(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return std::nullopt;  // a pipe would wait for ever
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text;
  std::array<char, 4096> block;  // a stream would take the want of memory for a fault of the file
  while (stream.read(block.data(), block.size()), stream.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) return std::nullopt;
  return text;
}

}  // namespace tenon::host
