// guarded.h: calls into a plugin where time does not matter. No exception may cross the border; one that does becomes
// an error here, not the end of the process. Not for launches: those are free of it by contract.
#pragma once
#include <exception>
#include <filesystem>
#include <string>
#include <type_traits>

#include "tenon/result.h"

namespace tenon {

/// What `call` returns, or EXCEPTION_ESCAPED naming the plugin's file and the function.
template <class Call>
auto guarded(const std::filesystem::path& plugin, const char* function, Call call) -> result<decltype(call())> {
  const auto escaped = [&](const std::string& what) {
    return fail(Reason::EXCEPTION_ESCAPED,
                "[plugin] " + plugin.string() + ": an exception escaped from " + function + ": " + what);
  };
  try {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      return {};
    } else {
      return call();
    }
  } catch (const std::exception& thrown) {
    return escaped(thrown.what());
  } catch (...) {
    return escaped("of a type that the host does not know");
  }
}

}  // namespace tenon
