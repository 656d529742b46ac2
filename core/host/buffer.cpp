#include <utility>

#include "tenon/device.h"

namespace tenon {
namespace {

std::string free_text(const Device& device) {
  std::uint64_t free_bytes = 0, total_bytes = 0;
  if (device.plugin().devices().memory_info(device.handle(), &free_bytes, &total_bytes) != TENON_OK)
    return "how much is free is not known";
  return std::to_string(free_bytes) + " of " + std::to_string(total_bytes) + " bytes are free";
}

tl::unexpected<Error> out_of_memory(const Device& device, std::uint64_t bytes, const std::string& why) {
  return fail(Reason::OUT_OF_MEMORY,
              "[" + device.name() + "] out of memory: " + std::to_string(bytes) + " bytes were asked for, " + why);
}

std::int32_t allocate_once(const Device& device, std::uint64_t bytes, tenon_memory& memory) {
  memory = {};
  memory.size = sizeof memory;
  return device.plugin().devices().memory_alloc(device.handle(), bytes, device.facts().base_alignment_bytes,
                                                TENON_MEMORY_DEVICE, &memory);
}

/// A plugin may keep freed memory for later: once it has let that go, a second try may succeed.
std::int32_t allocate_with_trim(const Device& device, std::uint64_t bytes, tenon_memory& memory) {
  const std::int32_t status = allocate_once(device, bytes, memory);
  if (status != TENON_ERROR_OUT_OF_MEMORY) return status;
  if (device.plugin().devices().memory_trim(device.handle()) != TENON_OK) return status;
  return allocate_once(device, bytes, memory);
}

}  // namespace

result<Buffer> Buffer::allocate(const std::shared_ptr<Device>& device, std::uint64_t bytes) {
  Buffer buffer;
  if (bytes == 0) return buffer;
  const std::uint64_t most = device->facts().max_allocation_bytes;
  if (most != 0 && bytes > most)
    return out_of_memory(*device, bytes, "one allocation may have " + std::to_string(most));
  const std::int32_t status = allocate_with_trim(*device, bytes, buffer.memory_);
  if (status == TENON_ERROR_OUT_OF_MEMORY) return out_of_memory(*device, bytes, free_text(*device));
  if (status != TENON_OK) return fail(plugin_error(status, device->name() + ": memory_alloc"));
  if (buffer.memory_.memory == 0)
    return fail(Reason::KERNEL_FAILED,
                "[" + device->name() + ": memory_alloc] the plugin gave memory without a handle");
  buffer.device_ = device;
  buffer.bytes_ = bytes;
  return buffer;
}

Buffer::~Buffer() { release(); }

Buffer::Buffer(Buffer&& other) noexcept
    : device_(std::move(other.device_)),
      memory_(std::exchange(other.memory_, {})),
      bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this == &other) return *this;
  release();
  device_ = std::move(other.device_);
  memory_ = std::exchange(other.memory_, {});
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

/// The stream's work may still use the memory.
void Buffer::release() {
  if (device_ == nullptr) return;
  device_->settle();
  device_->plugin().devices().memory_free(device_->handle(), memory_.memory);
  device_.reset();
}

}  // namespace tenon
