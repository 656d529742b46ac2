#include "tenon/extents.h"

#include <limits>

#include "tenon/message.h"
#include "tenon/text.h"

namespace tenon {
namespace {

constexpr std::string_view anonymous = "dyn";
constexpr std::size_t longest_name = 12;

bool match_extent(Extent declared, Extent found, std::vector<BoundExtent>& bound) {
  if (!is_named(declared)) return agree(declared, found);
  const auto known = std::ranges::find(bound, declared, &BoundExtent::name);
  if (known != bound.end()) return agree(known->number, found);
  bound.push_back({declared, found});
  return true;
}

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

std::optional<Extent> named_extent(std::string_view word) {
  if (word.empty() || word.size() > longest_name || word == anonymous) return std::nullopt;
  if (!std::ranges::all_of(word, is_small_letter)) return std::nullopt;
  Extent code = 0;
  for (const char letter : word) code = code * 27 + (letter - 'a' + 1);
  return detail::first_name - code;
}

std::optional<Extent> parse_extent(std::string_view word) {
  if (word == anonymous) return dyn;
  const auto number = parse_unsigned(word);
  if (!number) return named_extent(word);
  if (*number > static_cast<std::uint64_t>(std::numeric_limits<Extent>::max())) return std::nullopt;
  return static_cast<Extent>(*number);
}

std::string extent_text(Extent extent) {
  Message word;
  word << extent;
  return std::string(word.view());
}

bool match_extents(const Shape& declared, const Shape& found, std::vector<BoundExtent>& bound) {
  return std::ranges::equal(declared.extents(), found.extents(),
                            [&](Extent d, Extent f) { return match_extent(d, f, bound); });
}

Shape bind_extents(Shape shape, std::span<const BoundExtent> bound) {
  for (Extent& e : shape.extents()) {
    const auto found = std::ranges::find(bound, e, &BoundExtent::name);
    if (found != bound.end()) e = found->number;
  }
  return shape;
}

}  // namespace tenon
