// call.h: calls into the examined plugin: no exception comes back, and a status becomes words. Plain functions.
#pragma once
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "counting_host.h"
#include "verdict.h"

namespace tenon::check {

/// "TENON_ERROR_OUT_OF_MEMORY ('no room')": a status of plugin.h with what the plugin said about it.
std::string status_text(std::int32_t status, const std::string& words);

inline tl::unexpected<Finding> escaped(std::string_view slot, std::string_view what) {
  return wrong("an exception escaped from " + std::string(slot) + ": " + std::string(what),
               "a status: no C++ exception crosses the border");
}

/// A check's verdict, or that it failed itself: checks are written without care for memory or for exceptions.
Verdict contained_check(const std::function<Verdict()>& check);

/// What a slot returns.
template <class Call>
sought<std::int32_t> status_of(std::string_view slot, const Call& call) {
  take_words();
  try {
    return call();
  } catch (const std::exception& thrown) {
    return escaped(slot, thrown.what());
  } catch (...) {
    return escaped(slot, "of a type that the host does not know");
  }
}

/// The slot must return `status`.
Verdict is_status(std::string_view slot, std::int32_t found, std::int32_t expected);

template <class Call>
Verdict succeeds(std::string_view slot, const Call& call) {
  TENON_SEEK(const std::int32_t status, status_of(slot, call));
  return is_status(slot, status, TENON_OK);
}

/// A failure must be a negative status with words.
Verdict is_worded_error(std::string_view slot, std::int32_t status);

}  // namespace tenon::check
