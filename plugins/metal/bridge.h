// bridge.h: between Object and Objective-C's own references. Only .mm files include it.
//
// Threads: any.
#pragma once
#import <Metal/Metal.h>

#include <exception>

#include "object.h"
#include "tenon/plugin.hpp"

namespace tenon::metal {

inline Object hold(id object) { return Object((__bridge_retained void*)object); }

/// `as<id<MTLBuffer>>(object)`.
template <class T>
T as(const Object& object) {
  return (__bridge T)object.pointer();
}

/// Runs the body with an autorelease pool around it, out of which exceptions are carried: unwinding drains no pool.
template <class Body>
void with_pool(Body&& body) {
  std::exception_ptr failure;
  @autoreleasepool {
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

inline std::string_view words_of(NSString* text) {
  const char* words = text.UTF8String;
  return words == nullptr ? "" : words;
}

/// Throws what Metal says of a failure: "[metal] compiling the kernel rows_softmax: ...".
[[noreturn]] void throw_error(std::string_view doing, NSError* error);

/// What a finished command buffer failed with; its status is MTLCommandBufferStatusError.
plugin::KernelError failure_of(id<MTLCommandBuffer> commands);

}  // namespace tenon::metal
