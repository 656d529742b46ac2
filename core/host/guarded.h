// guarded.h: calls into a plugin that is not yet known to keep its promises. No exception may cross the border; one
// that does becomes an error here, not the end of the process.
#pragma once
#include <exception>
#include <filesystem>
#include <string>

#include "tenon/result.h"

namespace tenon::host {

template <class Call>
auto guarded(const std::filesystem::path& plugin, const char* function, Call call) -> result<decltype(call())> {
  const auto escaped = [&](const std::string& what) {
    return fail(Reason::EXCEPTION_ESCAPED,
                "[plugin] " + plugin.string() + ": an exception escaped from " + function + ": " + what);
  };
  try {
    return call();
  } catch (const std::exception& thrown) {
    return escaped(thrown.what());
  } catch (...) {
    return escaped("of a type that the host does not know");
  }
}

}  // namespace tenon::host
