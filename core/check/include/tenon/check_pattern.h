// check_pattern.h: what `--only` of `tenon check` takes: a part of a check's name, in which * stands for anything.
// Plain functions; any thread.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "tenon/error.h"
#include "tenon/text.h"

namespace tenon::check {

/// Is the pattern a part of the text? The empty one is.
constexpr bool matches(std::string_view pattern, std::string_view text) {
  while (!pattern.empty()) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    const std::size_t at = text.find(pattern.substr(0, star));
    if (at == text.npos) return false;
    text.remove_prefix(at + star);
    pattern.remove_prefix(std::min(star + 1, pattern.size()));
  }
  return true;
}

/// May the pattern fit a check of this name? What it says of capsules, behind the colon, is known with a plugin only.
constexpr bool may_match(std::string_view pattern, std::string_view check, bool of_capsules) {
  return matches(of_capsules ? pattern.substr(0, pattern.find(':')) : pattern, check);
}

inline Error matches_no_check(std::string_view pattern) {
  return {Reason::USAGE, "--only: found \"" + excerpt(pattern, 80) + "\", expected a part of a check's name",
          "run `tenon check --list`"};
}

}  // namespace tenon::check
