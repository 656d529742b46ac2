#include <utility>

#include "host_table.h"
#include "tenon/contain.h"
#include "tenon/device.h"
#include "tenon/guarded.h"

namespace tenon {
namespace {

/// Calls the plugin's function of the name `slot`.
template <class Call>
result<std::int32_t> call(const Device& device, const char* slot, Call function) {
  return guarded(device.plugin().candidate().manifest.library, slot,
                 [&] { return function(device.plugin().devices()); });
}

std::string free_text(const Device& device) {
  std::uint64_t free_bytes = 0, total_bytes = 0;
  const auto told = call(device, "memory_info", [&](const tenon_devices& t) {
    return t.memory_info(device.handle(), &free_bytes, &total_bytes);
  });
  if (!told || *told != TENON_OK) return "how much is free is not known";
  return std::to_string(free_bytes) + " of " + std::to_string(total_bytes) + " bytes are free";
}

tl::unexpected<Error> out_of_memory(const Device& device, std::uint64_t bytes, const std::string& why) {
  return fail(Reason::OUT_OF_MEMORY,
              "[" + device.name() + "] out of memory: " + std::to_string(bytes) + " bytes were asked for, " + why);
}

/// Takes the plugin's words, so that they do not turn up with a later error.
tl::unexpected<Error> refused_memory(const Device& device, std::uint64_t bytes) {
  const std::string words = take_plugin_error();
  const std::string room = free_text(device);
  clear_plugin_error();
  return out_of_memory(device, bytes, room + (words.empty() ? "" : ": " + words));
}

result<std::int32_t> allocate_once(const Device& device, std::uint64_t bytes, tenon_memory& memory) {
  memory = {};
  memory.size = sizeof memory;
  return call(device, "memory_alloc", [&](const tenon_devices& t) {
    return t.memory_alloc(device.handle(), bytes, device.facts().alignment_bytes(), TENON_MEMORY_DEVICE, &memory);
  });
}

/// A plugin may keep freed memory for later: once it has let that go, a second try may succeed.
result<std::int32_t> allocate_with_trim(const Device& device, std::uint64_t bytes, tenon_memory& memory) {
  TENON_TRY(const std::int32_t status, allocate_once(device, bytes, memory));
  if (status != TENON_ERROR_OUT_OF_MEMORY) return status;
  TENON_TRY(const std::int32_t trimmed,
            call(device, "memory_trim", [&](const tenon_devices& t) { return t.memory_trim(device.handle()); }));
  if (trimmed != TENON_OK) return status;
  clear_plugin_error();
  return allocate_once(device, bytes, memory);
}

}  // namespace

result<Buffer> Buffer::allocate(const std::shared_ptr<Device>& device, std::uint64_t bytes) {
  return contained("memory", [&] { return allocate_uncontained(device, bytes); });
}

result<Buffer> Buffer::allocate_uncontained(const std::shared_ptr<Device>& device, std::uint64_t bytes) {
  Buffer buffer;
  if (bytes == 0) return buffer;
  const std::uint64_t most = device->facts().max_allocation_bytes;
  if (most != 0 && bytes > most)
    return out_of_memory(*device, bytes, "one allocation may have " + std::to_string(most));
  TENON_TRY(const std::int32_t status, allocate_with_trim(*device, bytes, buffer.memory_));
  if (status == TENON_ERROR_OUT_OF_MEMORY) return refused_memory(*device, bytes);
  if (status != TENON_OK) return fail(plugin_error(status, device->name() + ": memory_alloc"));
  if (buffer.memory_.memory == 0)
    return fail(Reason::KERNEL_FAILED,
                "[" + device->name() + ": memory_alloc] the plugin gave memory without a handle");
  buffer.device_ = device;
  buffer.bytes_ = bytes;
  if (device->observer_ != nullptr) device->observer_->allocated(bytes);
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
  guarded_end(device_->plugin().candidate().manifest.library, "memory_free",
              [&] { return device_->plugin().devices().memory_free(device_->handle(), memory_.memory); });
  if (device_->observer_ != nullptr) device_->observer_->freed(bytes_);
  device_.reset();
}

}  // namespace tenon
