// error.h: what went wrong, in words that a person can act on.
//
// An Error is a value; it owns its text. Input can only ever cause an Error, never an exception.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "tenon/export.h"

namespace tenon {

/// Why something was refused; the whole list stands in reasons.def.
enum class Reason : std::int32_t {
#define TENON_REASON(name, number, ...) name = number,
#include "tenon/reasons.def"
#undef TENON_REASON
};

struct ReasonInfo {
  Reason reason;
  std::string_view name;       // as in NO_PLUGIN
  std::string_view meaning;    // half a sentence
  std::string_view next_step;  // what to type or do; empty where only the place that fails can tell
};

/// The row of a reason. A number outside the table (a plugin may send any) gives the row of KERNEL_FAILED.
TENON_API const ReasonInfo& info(Reason reason);

struct Error {
  Reason reason = Reason::INVALID_ARGUMENT;
  std::string text;  // "[where] what was wrong: what was found, what was expected"
  std::string hint;  // the next step; empty: the reason's own
};

/// The text and below it the reason code and next step, as the command line prints it (without "error: ").
TENON_API std::string to_string(const Error& error);

}  // namespace tenon
