// memory.h: buffers of a device.
//
// The host's handle is the address of a Buffer. Where the processor and the GPU share their memory, all storage is
// shared and the host may look at it; elsewhere what the host does not see is private to the GPU. Owned by the device;
// threads: any.
#pragma once
#include <atomic>
#include <cstddef>

#include "object.h"
#include "tenon/plugin.hpp"

namespace tenon::metal {

struct Buffer {
  Object object;
  std::uint64_t bytes = 0;        // as asked for
  std::uint64_t taken_bytes = 0;  // of the device: a multiple of 16
  std::byte* contents = nullptr;  // where the host sees it, if it may
};

class Memory {
 public:
  /// device: what kernels work on; host: what the host and the GPU hand each other.
  enum class Place : std::uint8_t { device, host };

  Memory(const Object& device, bool unified, std::uint64_t total_bytes)
      : device_(device), unified_(unified), total_bytes_(total_bytes) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Buffer* allocate(std::uint64_t bytes, Place place);
  void free(Buffer* buffer);
  bool unified() const { return unified_; }
  std::uint64_t free_bytes() const;
  std::uint64_t total_bytes() const { return total_bytes_; }

 private:
  const Object& device_;
  const bool unified_;
  const std::uint64_t total_bytes_;
  std::atomic<std::uint64_t> taken_bytes_{0};
};

}  // namespace tenon::metal
