#include "workspace.h"

#include <algorithm>
#include <charconv>

namespace tenon::gpu::cublas {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;
constexpr std::uint64_t least_bytes = 16 * kib;  // with less some functions fail
constexpr std::uint64_t most_kib = std::uint64_t{1} << 30;

/// Takes ":number" off the front; 0 if there is none.
std::uint64_t take_number(std::string_view& words) {
  if (words.empty() || words.front() != ':') return 0;
  std::uint64_t number = 0;
  const char* end = words.data() + words.size();
  const auto [behind, error] = std::from_chars(words.data() + 1, end, number);
  if (error != std::errc()) return 0;
  words.remove_prefix(static_cast<std::size_t>(behind - words.data()));
  return number;
}

/// 0: it is not written that way.
std::uint64_t configured_bytes(std::string_view words) {
  std::uint64_t sum = 0;
  while (!words.empty()) {
    const std::uint64_t size = take_number(words), count = take_number(words);
    if (size == 0 || count == 0 || size > most_kib / count) return 0;
    sum += size * count * kib;
  }
  return sum;
}

std::uint64_t recommended_bytes(std::string_view architecture) {
  constexpr int hopper = 90;
  int capability = 0;
  const std::size_t digits = std::min(architecture.find('_'), architecture.size() - 1) + 1;
  std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), capability);
  return capability >= hopper ? 32 * mib : 4 * mib;
}

}  // namespace

std::uint64_t workspace_bytes(std::string_view architecture, std::string_view configured) {
  const std::uint64_t bytes = configured_bytes(configured);
  return bytes == 0 ? recommended_bytes(architecture) : std::max(bytes, least_bytes);
}

}  // namespace tenon::gpu::cublas
