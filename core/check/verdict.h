// verdict.h: what one check found: nothing, a failure with what was expected, or why it could not be asked. Values.
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "tenon/certificate.h"

namespace tenon::check {

struct Finding {
  Outcome outcome;
  std::string found, expected;
  bool is_of_earlier_checks = false;  // what they did is needed to see it again
};

/// A value, or the finding that ends the check.
template <class T>
using sought = tl::expected<T, Finding>;
using Verdict = sought<void>;

inline tl::unexpected<Finding> wrong(std::string found, std::string expected) {
  return tl::unexpected(Finding{Outcome::failed, std::move(found), std::move(expected)});
}
inline tl::unexpected<Finding> wrong_by_now(std::string found, std::string expected) {
  return tl::unexpected(Finding{Outcome::failed, std::move(found), std::move(expected), true});
}
inline tl::unexpected<Finding> skipped(std::string reason) {
  return tl::unexpected(Finding{Outcome::skipped, std::move(reason), {}});
}

}  // namespace tenon::check

/// As TENON_CHECK and TENON_TRY, for findings. They may stand inside each other's lambdas, which lie on one line for
/// the preprocessor: hence the counter.
#define TENON_HOLDS_(tmp, ...)                                                                                    \
  do {                                                                                                            \
    if (auto tmp = (__VA_ARGS__); !tmp) return ::tl::unexpected<::tenon::check::Finding>(std::move(tmp).error()); \
  } while (false)
#define TENON_HOLDS(...) TENON_HOLDS_(TENON_CONCAT(tenon_held_, __COUNTER__), __VA_ARGS__)
#define TENON_SEEK_(declaration, tmp, ...)                                            \
  auto tmp = (__VA_ARGS__);                                                           \
  if (!tmp) return ::tl::unexpected<::tenon::check::Finding>(std::move(tmp).error()); \
  declaration = *std::move(tmp)
#define TENON_SEEK(declaration, ...) TENON_SEEK_(declaration, TENON_CONCAT(tenon_sought_, __COUNTER__), __VA_ARGS__)
