#include "memory.h"

#include <memory>

#include "bridge.h"

namespace tenon::metal {

Buffer* Memory::allocate(std::uint64_t bytes, Place place) {
  // Metal makes no empty buffers; whole vectors let copies and kernels work on words.
  constexpr std::uint64_t step = 16;
  auto buffer = std::make_unique<Buffer>();
  buffer->bytes = bytes;
  with_pool([&] {
    id<MTLDevice> device = as<id<MTLDevice>>(device_);
    const std::uint64_t largest = device.maxBufferLength;
    if (bytes <= largest - step) buffer->taken_bytes = (std::max<std::uint64_t>(bytes, 1) + step - 1) / step * step;
    const bool shared = unified_ || place == Place::host;
    id<MTLBuffer> made = nil;
    if (buffer->taken_bytes != 0 && buffer->taken_bytes <= total_bytes_) {
      made = [device newBufferWithLength:buffer->taken_bytes
                                 options:shared ? MTLResourceStorageModeShared : MTLResourceStorageModePrivate];
    }
    if (made == nil) {
      throw plugin::KernelError(TENON_ERROR_OUT_OF_MEMORY,
                                plugin::text("[metal] out of memory: ", bytes, " bytes asked for, the device has ",
                                             total_bytes_, " and gives at most ", largest, " at once"));
    }
    if (shared) buffer->contents = static_cast<std::byte*>(made.contents);
    buffer->object = hold(made);
  });
  taken_bytes_ += buffer->taken_bytes;
  return buffer.release();
}

void Memory::free(Buffer* buffer) {
  taken_bytes_ -= buffer->taken_bytes;
  delete buffer;
}

std::uint64_t Memory::free_bytes() const { return total_bytes_ - std::min<std::uint64_t>(total_bytes_, taken_bytes_); }

}  // namespace tenon::metal
