// contain.h: the public border: host memory that runs out is an Error like any other.
#pragma once
#include <new>

#include "tenon/result.h"

namespace tenon {

/// Calls f, which returns a result. `where` begins the message if memory runs out.
template <class F>
auto contained(std::string_view where, F f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return fail(Reason::OUT_OF_MEMORY, "[" + std::string(where) + "] the host has no memory left");
  }
}

}  // namespace tenon
