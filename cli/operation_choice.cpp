#include "operation_choice.h"

#include <algorithm>

#include "program_choice.h"
#include "tenon/attributes_text.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

/// Calls take(word) for every part between separators; false at the first one that is refused.
template <class Take>
bool each_part(std::string_view text, char separator, Take take) {
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (!take(text.substr(0, end))) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

/// "64x784", "scalar"
std::optional<Shape> parse_shape(std::string_view text) {
  Shape out;
  if (text == "scalar") return out;
  const bool read = each_part(text, 'x', [&](std::string_view word) {
    const auto number = parse_unsigned(word);
    if (!number || *number > static_cast<std::uint64_t>(most_extent) || out.rank == max_rank) return false;
    out.extent[out.rank++] = static_cast<Extent>(*number);
    return true;
  });
  return read ? std::optional(out) : std::nullopt;
}

}  // namespace

result<void> set_shapes(OperationChoice& choice, const GivenFlag& flag) {
  choice.shapes.emplace();
  const bool read = each_part(*flag.value, ',', [&](std::string_view word) {
    const auto shape = parse_shape(word);
    if (shape) choice.shapes->push_back(*shape);
    return shape.has_value();
  });
  if (!read) return fail(bad_value(flag));
  return {};
}

result<void> set_operation(OperationChoice& choice, const GivenFlag& flag) {
  choice.row = find_op(*flag.value);
  if (choice.row == nullptr) return fail(bad_value(flag, operation_names()));
  return {};
}

result<Attributes> attributes_of(const OperationChoice& choice) {
  auto attributes = parse_attributes(*choice.row, join(choice.attributes));
  if (attributes) return attributes;
  return fail(usage_error("--attribute: " + attributes.error().text, attributes.error().hint));
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const OpSpec& row : all_ops()) names.emplace_back(row.name);
  return names;
}

}  // namespace tenon::cli
