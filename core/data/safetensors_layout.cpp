#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "safetensors_header.h"
#include "words.h"

namespace tenon::data {
namespace {

std::string range_words(const HeaderEntry& entry) { return fmt::format("{}..{}", entry.begin, entry.end); }

std::string check_entry(const HeaderEntry& entry, std::uint64_t data_bytes) {
  const std::string where = tensor_words(entry.name);
  const std::optional<Extent> elements = checked_elements(entry.shape);
  if (!elements) return fmt::format("{}: found the shape {}, too large for any memory", where, to_string(entry.shape));
  if (entry.begin > entry.end) return fmt::format("{}: found reversed data_offsets {}", where, range_words(entry));
  if (entry.end > data_bytes) {
    return fmt::format("{}: found data_offsets {}, expected an end within the {} bytes of data; is the file cut off?",
                       where, range_words(entry), data_bytes);
  }
  const std::uint64_t expected = static_cast<std::uint64_t>(*elements) * size_bytes(entry.dtype);
  if (entry.end - entry.begin == expected) return {};
  return fmt::format("{}: found {} bytes (data_offsets {}), expected {} for {} {}", where, entry.end - entry.begin,
                     range_words(entry), expected, safetensors_name(entry.dtype), to_string(entry.shape));
}

std::vector<const HeaderEntry*> by_offset(const Header& header) {
  std::vector<const HeaderEntry*> sorted;
  for (const HeaderEntry& entry : header.entries) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const HeaderEntry* e) { return std::pair(e->begin, e->end); });
  return sorted;
}

/// The tensors must cover the data from end to end, each byte once.
std::string check_cover(const Header& header, std::uint64_t data_bytes) {
  std::uint64_t covered = 0;
  for (const HeaderEntry* entry : by_offset(header)) {
    if (entry->begin != covered) {
      return fmt::format("{}: found data_offsets {} {}, expected a begin of {}", tensor_words(entry->name),
                         range_words(*entry), entry->begin < covered ? "that overlap another tensor" : "after a hole",
                         covered);
    }
    covered = entry->end;
  }
  if (covered == data_bytes) return {};
  return fmt::format("found {} bytes of data, expected {} as the tensors take", data_bytes, covered);
}

}  // namespace

std::string check_layout(const Header& header, std::uint64_t data_bytes) {
  for (const HeaderEntry& entry : header.entries) {
    if (std::string flaw = check_entry(entry, data_bytes); !flaw.empty()) return flaw;
  }
  return check_cover(header, data_bytes);
}

}  // namespace tenon::data
