// result.h: a value or an Error.
#pragma once
#include <tl/expected.hpp>
#include <utility>

#include "tenon/error.h"

namespace tenon {

template <class T>
using result = tl::expected<T, Error>;

/// `return fail(Reason::FILE_NOT_FOUND, "...")` from any function that returns a result.
inline tl::unexpected<Error> fail(Reason reason, std::string text, std::string hint = {}) {
  return tl::unexpected<Error>(Error{reason, std::move(text), std::move(hint)});
}

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace tenon

#define TENON_CONCAT_(a, b) a##b
#define TENON_CONCAT(a, b) TENON_CONCAT_(a, b)
#define TENON_TRY_(declaration, tmp, ...)                                    \
  auto tmp = (__VA_ARGS__);                                                  \
  if (!tmp) return ::tl::unexpected<::tenon::Error>(std::move(tmp).error()); \
  declaration = *std::move(tmp)
/// `TENON_TRY(auto x, f())`: x is the value of f(), or the function returns f()'s error.
#define TENON_TRY(declaration, ...) TENON_TRY_(declaration, TENON_CONCAT(tenon_try_, __LINE__), __VA_ARGS__)
/// `TENON_CHECK(f())`: returns f()'s error, if any.
#define TENON_CHECK(...)                                                         \
  do {                                                                           \
    if (auto tenon_checked = (__VA_ARGS__); !tenon_checked)                      \
      return ::tl::unexpected<::tenon::Error>(std::move(tenon_checked).error()); \
  } while (false)
