#include "tenon/gaps.h"

#include <algorithm>

namespace tenon {

void Gaps::add(std::string text, std::string place) {
  const auto known = std::ranges::find(gaps_, text, &Gap::text);
  if (known != gaps_.end())
    ++known->more;
  else
    gaps_.push_back({std::move(text), std::move(place)});
}

Error Gaps::error(const std::string& device) const {
  std::string text = "[session] " + std::to_string(gaps_.size()) +
                     (gaps_.size() == 1 ? " operation has" : " operations have") + " no admissible capsule on " +
                     device;
  for (const Gap& gap : gaps_) {
    text.append("\n  at ").append(gap.place);
    if (gap.more > 0) text.append(" and ").append(std::to_string(gap.more)).append(" more");
    text.append(": ").append(gap.text);
  }
  return {Reason::NO_CAPSULE, std::move(text), {}};
}

}  // namespace tenon
