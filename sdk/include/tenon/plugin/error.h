// error.h: how a plugin fails: KernelError inside, a status and a text at the border.
//
// Ownership: an error owns its words; the host copies them. Threads: any; set_error keeps one text per thread.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tenon/plugin.h"

namespace tenon::plugin {

/// What the host offers, from tenon_plugin_query on; null before it. One per plugin: hidden, so never another's.
[[gnu::visibility("hidden")]] inline const tenon_host* host = nullptr;

// -- text ---------------------------------------------------------------------------------------------------

inline void append(std::string& to, std::string_view part) { to += part; }
template <class Number>
requires std::is_arithmetic_v<Number>
void append(std::string& to, Number value) {
  if constexpr (std::is_same_v<Number, bool>) {
    to += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<Number>) {
    to += std::to_string(value);
  } else {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(value));
    to += digits;
  }
}

/// A shape: "(32, 128)".
inline void append(std::string& to, std::span<const std::int64_t> shape) {
  const char* separator = "(";
  for (const std::int64_t extent : shape) to += std::exchange(separator, ", ") + std::to_string(extent);
  to += shape.empty() ? "()" : ")";
}

/// A type: "f32".
inline void append(std::string& to, tenon_dtype type) {
  constexpr std::string_view letters[] = {"i", "u", "f", "?", "bf", "c", "bool"};
  to += type.code < std::size(letters) ? letters[type.code] : "?";
  if (type.code != TENON_DTYPE_BOOL) to += std::to_string(type.bits);
}

/// Texts, numbers, shapes and types, one after the other.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string result;
  (append(result, parts), ...);
  return result;
}

/// Into a text of the host's, cut to what it has room for.
inline void write(tenon_text* to, std::string_view words) {
  if (to == nullptr || to->data == nullptr) return;
  to->length = std::min<std::uint64_t>(to->capacity, words.size());
  words.copy(to->data, to->length);
}

// -- failing ------------------------------------------------------------------------------------------------

/// Thrown anywhere inside a plugin; guard() turns it into its status and text.
class KernelError : public std::exception {
 public:
  KernelError(std::int32_t status, std::string text) : status_(status), text_(std::move(text)) {}
  std::int32_t status() const noexcept { return status_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::int32_t status_;
  std::string text_;
};

/// The usual failure: somebody asked for what makes no sense.
template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  throw KernelError(TENON_ERROR_INVALID_ARGUMENT, text(parts...));
}

/// Hands a text to the host and returns the status.
inline std::int32_t report(std::int32_t status, const char* words) noexcept {
  if (host != nullptr && host->set_error != nullptr) host->set_error(status, words);
  return status;
}

/// Runs the body of an entry point: no exception leaves it. A body that returns nothing is TENON_OK when it returns.
template <class Body>
std::int32_t guard(Body&& body) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return TENON_OK;
    } else {
      return body();
    }
  } catch (const KernelError& error) {
    return report(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return report(TENON_ERROR_OUT_OF_MEMORY, "out of host memory");
  } catch (const std::exception& error) {
    return report(TENON_ERROR, error.what());
  } catch (...) {
    return report(TENON_ERROR, "an exception of unknown type");
  }
}

// -- opaque handles -----------------------------------------------------------------------------------------

/// The ABI's opaque pointer (tenon_device, tenon_stream, ...) for an object of the plugin's own, and back.
template <class Handle, class Object>
Handle* to_handle(Object* object) {
  return reinterpret_cast<Handle*>(object);
}
template <class Object, class Handle>
Object& from_handle(Handle* handle) {
  if (handle == nullptr) refuse("a handle is null");
  return *reinterpret_cast<Object*>(handle);
}

}  // namespace tenon::plugin
