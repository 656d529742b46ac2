// device.h: one opened device with one in-order stream, and its memory.
//
// A Device outlives its Buffers (they hold it). Calls that use the stream: one thread at a time.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "tenon/device_observer.h"
#include "tenon/loaded_plugin.h"

namespace tenon {

class TENON_API Device : public std::enable_shared_from_this<Device> {
 public:
  /// NO_DEVICE, DRIVER_MISSING, ... in the plugin's own words if device `ordinal` of `kind` cannot be used.
  static result<std::shared_ptr<Device>> open(std::shared_ptr<LoadedPlugin> plugin, const std::string& kind,
                                              std::uint32_t ordinal);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceFacts& facts() const { return facts_; }
  LoadedPlugin& plugin() const { return *plugin_; }
  tenon_device* handle() const { return device_; }
  tenon_stream* stream() const { return stream_; }
  /// "cpu:0"; a third party's as "acme/cuda:0". Accepted by --device.
  std::string name() const;

  /// Copies into device memory; returns when `from` may be reused.
  result<void> write(tenon_ref to, std::span<const std::byte> from);
  /// Waits for the stream's work, then copies out.
  result<void> read(std::span<std::byte> to, tenon_ref from);
  /// From one place in the device's memory to another, when the stream comes to it.
  result<void> copy(tenon_ref to, tenon_ref from, std::uint64_t bytes);
  /// When it returns, no work of the stream is left, whatever it returns.
  result<void> synchronize();
  /// The same where nobody can be told of an error: the next synchronize reports it.
  void settle();

  /// Told of copies and allocations from now on; null: nobody is.
  void observe(DeviceObserver* observer) { observer_ = observer; }

 private:
  Device() = default;
  result<void> start();
  result<void> check(std::int32_t status, std::string_view what) const;
  friend class Buffer;

  std::shared_ptr<LoadedPlugin> plugin_;
  DeviceFacts facts_;
  tenon_device* device_ = nullptr;
  tenon_stream* stream_ = nullptr;
  std::optional<Error> deferred_;  // found by settle()
  DeviceObserver* observer_ = nullptr;
};

/// A piece of device memory; frees it when it goes, after the stream's work has completed.
class TENON_API Buffer {
 public:
  Buffer() = default;
  /// Zero bytes give an empty buffer. OUT_OF_MEMORY says what was asked and what is free, and why in the
  /// plugin's words. Aligned to 64 bytes at least.
  static result<Buffer> allocate(const std::shared_ptr<Device>& device, std::uint64_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  tenon_ref ref() const { return {memory_.memory, 0}; }
  std::uint64_t bytes() const { return bytes_; }
  /// Where the host may read and write it once the stream's work is done; null if it may not.
  void* host() const { return memory_.host; }

 private:
  static result<Buffer> allocate_uncontained(const std::shared_ptr<Device>& device, std::uint64_t bytes);
  void release();

  std::shared_ptr<Device> device_;
  tenon_memory memory_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace tenon
