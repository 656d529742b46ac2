#include "tenon/error.h"

#include <algorithm>
#include <array>

namespace tenon {
namespace {

constexpr auto table = std::to_array<ReasonInfo>({
#define TENON_REASON(name, number, meaning, next_step) {Reason::name, #name, meaning, next_step},
#include "tenon/reasons.def"
#undef TENON_REASON
});

constexpr bool numbers_rise() { return std::ranges::is_sorted(table, std::ranges::less_equal{}, &ReasonInfo::reason); }
static_assert(numbers_rise(), "reasons.def: numbers must rise, each used once");

}  // namespace

const ReasonInfo& info(Reason reason) {
  const auto row = std::ranges::lower_bound(table, reason, {}, &ReasonInfo::reason);
  if (row != table.end() && row->reason == reason) return *row;
  return info(Reason::KERNEL_FAILED);
}

std::string to_string(const Error& error) {
  const ReasonInfo& row = info(error.reason);
  std::string out = error.text;
  out.append("\n  reason: ").append(row.name).append(" (").append(row.meaning).append(")");
  const std::string_view next = error.hint.empty() ? row.next_step : std::string_view(error.hint);
  if (!next.empty()) out.append("\n  next: ").append(next);
  return out;
}

}  // namespace tenon
