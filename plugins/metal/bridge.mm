#include "bridge.h"

namespace tenon::metal {

void Object::reset() {
  void* gone = std::exchange(held_, nullptr);
  if (gone == nullptr) return;
  @autoreleasepool {
    static_cast<void>((__bridge_transfer id)gone);
  }
}

Object Object::share() const { return hold((__bridge id)held_); }

void throw_error(std::string_view doing, NSError* error) {
  const std::string_view words = error == nil ? "Metal does not say why" : words_of(error.localizedDescription);
  throw plugin::KernelError(TENON_ERROR, plugin::text("[metal] ", doing, ": ", words));
}

namespace {

std::int32_t status_of(NSInteger code) {
  switch (code) {
    case MTLCommandBufferErrorOutOfMemory:
      return TENON_ERROR_OUT_OF_MEMORY;
    case MTLCommandBufferErrorAccessRevoked:
    case MTLCommandBufferErrorDeviceRemoved:
      return TENON_ERROR_DEVICE_LOST;
    default:
      return TENON_ERROR;
  }
}

}  // namespace

plugin::KernelError failure_of(id<MTLCommandBuffer> commands) {
  NSError* error = commands.error;
  const NSInteger code = error == nil ? MTLCommandBufferErrorInternal : error.code;
  const std::string_view words = error == nil ? "Metal does not say why" : words_of(error.localizedDescription);
  return {status_of(code), plugin::text("[metal] running work: ", words, " (MTLCommandBufferError ",
                                        static_cast<std::int64_t>(code), ")")};
}

}  // namespace tenon::metal
