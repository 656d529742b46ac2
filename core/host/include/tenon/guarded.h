// guarded.h: calls into a plugin. No exception may cross the border; one that does becomes an error here, not the end
// of the process. A call that throws nothing pays nothing for it.
#pragma once
#include <exception>
#include <filesystem>
#include <string>
#include <type_traits>

#include "tenon/loaded_plugin.h"

namespace tenon {

/// EXCEPTION_ESCAPED for the exception that is being handled, naming the plugin's file and the function.
TENON_API Error escaped_exception(const std::filesystem::path& plugin, const char* function);

/// The same as a warning in the log.
TENON_API void warn_of_escaped_exception(const std::filesystem::path& plugin, const char* function);

/// What `call` returns, or EXCEPTION_ESCAPED naming the plugin's file and the function.
template <class Call>
auto guarded(const std::filesystem::path& plugin, const char* function, Call call) -> result<decltype(call())> {
  try {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      return {};
    } else {
      return call();
    }
  } catch (...) {
    return fail(escaped_exception(plugin, function));
  }
}

/// For a call that ends something, where nobody is left to be told: an exception is a warning, and the words of a
/// status that `call` returns are dropped, so that a later error has its own.
template <class Call>
void guarded_end(const std::filesystem::path& plugin, const char* function, Call call) {
  try {
    if constexpr (std::is_void_v<decltype(call())>)
      call();
    else if (call() != TENON_OK)
      clear_plugin_error();
  } catch (...) {
    warn_of_escaped_exception(plugin, function);
  }
}

}  // namespace tenon
