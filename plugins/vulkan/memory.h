// memory.h: buffers in blocks of device memory.
//
// The host's handle is the address of a Buffer: a VkBuffer of exactly the bytes asked for, bound to a piece of a block,
// since drivers allow few allocations (4096 at least) and many buffers. A buffer too large for a block has one of its
// own. Owned by the device; threads: any, one lock.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "instance.h"

namespace tenon::vulkan {

class Block;

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint64_t bytes = 0;
  std::byte* mapped = nullptr;  // where the host sees it, if it may
  Block* block = nullptr;
  std::uint64_t offset = 0, taken_bytes = 0;  // its piece of the block
};

class Memory {
 public:
  /// device: nothing that the host sees; host: mapped, for copies.
  enum class Place : std::uint8_t { device, host };

  Memory(const DeviceFunctions& api, VkDevice device, const PhysicalDevice& physical);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Buffer* allocate(std::uint64_t bytes, std::uint64_t alignment, Place place);
  void free(Buffer* buffer);
  /// Gives back blocks in which nothing lives.
  void trim();
  std::uint64_t free_bytes() const;
  std::uint64_t total_bytes() const { return total_bytes_; }

 private:
  std::uint32_t type_for(std::uint32_t allowed, Place place) const;
  std::optional<std::uint32_t> type_with(VkMemoryPropertyFlags wanted, std::uint32_t allowed) const;
  /// Does memory of this type count as the device's?
  bool is_own(std::uint32_t type) const;
  void bind(Buffer& buffer, const VkMemoryRequirements& needed, std::uint64_t alignment, Place place);
  bool bind_in(Block& block, Buffer& buffer, const VkMemoryRequirements& needed, std::uint64_t alignment);
  Block& add_block(std::uint32_t type, std::uint64_t bytes, Place place);
  void remove(std::size_t block);

  const DeviceFunctions& api_;
  VkDevice device_;
  const PhysicalDevice& physical_;
  std::uint64_t total_bytes_, taken_bytes_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace tenon::vulkan
