// lane.h: an opened device of the examined plugin with streams, events and memory, each of which ends with its object.
//
// A Lane outlives what was made on it. Calls that take a stream: one thread per stream. Destructors take no interest in
// statuses: the checks of the life cycle do.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "call.h"
#include "tenon/loaded_plugin.h"

namespace tenon::check {

/// An object of the plugin's that one slot destroys.
template <class Handle>
class Owned {
 public:
  using Destroy = std::int32_t (*)(Handle*);
  Owned() = default;
  Owned(Handle* handle, Destroy destroy) : handle_(handle), destroy_(destroy) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), destroy_(other.destroy_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) static_cast<void>(status_of("destroy", [&] { return destroy_(handle_); }));
  }
  Handle* get() const { return handle_; }
  Handle* release() { return std::exchange(handle_, nullptr); }

 private:
  Handle* handle_ = nullptr;
  Destroy destroy_ = nullptr;
};

using OwnedDevice = Owned<tenon_device>;
using OwnedStream = Owned<tenon_stream>;
using OwnedEvent = Owned<tenon_event>;

class Memory {
 public:
  Memory() = default;
  Memory(const tenon_devices& call, tenon_device* device, const tenon_memory& memory)
      : call_(&call), device_(device), memory_(memory) {}
  Memory(Memory&& other) noexcept
      : call_(std::exchange(other.call_, nullptr)), device_(other.device_), memory_(other.memory_) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(call_, other.call_);
    std::swap(device_, other.device_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Memory() {
    if (call_ != nullptr)
      static_cast<void>(status_of("memory_free", [&] { return call_->memory_free(device_, memory_.memory); }));
  }
  const tenon_memory& said() const { return memory_; }
  tenon_ref at(std::uint64_t offset_bytes) const { return {memory_.memory, offset_bytes}; }

 private:
  const tenon_devices* call_ = nullptr;
  tenon_device* device_ = nullptr;
  tenon_memory memory_{};
};

using Bytes = std::vector<std::byte>;

/// `count` bytes without a short period, others for each seed.
Bytes pattern_bytes(std::size_t count, unsigned seed);

class Lane {
 public:
  /// Opens the device and makes a stream.
  static sought<std::unique_ptr<Lane>> open(const tenon_devices& call, void* self, const DeviceFacts& facts);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  const tenon_devices& call() const { return call_; }
  const DeviceFacts& facts() const { return facts_; }
  tenon_device* device() const { return device_.get(); }
  tenon_stream* stream() const { return stream_.get(); }

  sought<OwnedStream> make_stream() const;
  sought<OwnedEvent> make_event() const;
  /// As the host asks: device memory, aligned as every signature promises.
  sought<Memory> allocate(std::uint64_t bytes) const;
  std::uint64_t alignment_bytes() const;
  /// What offsets of copies and fills are multiples of.
  std::uint64_t offset_bytes() const;

  /// Copies and waits.
  Verdict write(tenon_ref to, std::span<const std::byte> from) const;
  sought<Bytes> read(tenon_ref from, std::size_t bytes) const;
  Verdict copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) const;
  Verdict fill(tenon_ref to, std::span<const std::byte> pattern, std::uint64_t bytes) const;
  Verdict synchronize() const;

 private:
  Lane(const tenon_devices& call, const DeviceFacts& facts) : call_(call), facts_(facts) {}
  const tenon_devices& call_;
  DeviceFacts facts_;
  OwnedDevice device_;
  OwnedStream stream_;
};

/// The plugin must have written what it was given.
Verdict same_bytes(std::string_view what, std::span<const std::byte> found, std::span<const std::byte> expected);

}  // namespace tenon::check
