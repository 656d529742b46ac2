#include "memory.h"

namespace tenon::vulkan {
namespace {

constexpr std::uint64_t block_bytes = 32u << 20;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

/// One allocation of the driver's, in pieces. The free ones are kept by offset, neighbours joined.
class Block {
 public:
  Block(VkDeviceMemory of, std::uint32_t of_type, std::uint64_t size, std::byte* address)
      : memory(of), type(of_type), bytes(size), mapped(address), free_{{0, size}} {}

  const VkDeviceMemory memory;
  const std::uint32_t type;
  const std::uint64_t bytes;
  std::byte* const mapped;

  bool empty() const { return free_.size() == 1 && free_.begin()->second == bytes; }

  /// The offset of a piece, or no_piece. First fit.
  std::uint64_t take(std::uint64_t wanted, std::uint64_t alignment) {
    for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
      const auto [begin, size] = *piece;
      const std::uint64_t offset = aligned(begin, alignment);
      if (offset + wanted > begin + size) continue;
      free_.erase(piece);
      if (offset != begin) free_[begin] = offset - begin;
      if (offset + wanted != begin + size) free_[offset + wanted] = begin + size - (offset + wanted);
      return offset;
    }
    return no_piece;
  }

  void give_back(std::uint64_t offset, std::uint64_t size) {
    auto after = free_.lower_bound(offset);
    if (after != free_.end() && after->first == offset + size) {
      size += after->second;
      after = free_.erase(after);
    }
    if (after != free_.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == offset) {
        before->second += size;
        return;
      }
    }
    free_[offset] = size;
  }

  static constexpr std::uint64_t no_piece = UINT64_MAX;

 private:
  std::map<std::uint64_t, std::uint64_t> free_;
};

Memory::Memory(const DeviceFunctions& api, VkDevice device, const PhysicalDevice& physical)
    : api_(api), device_(device), physical_(physical), total_bytes_(physical.device_memory_bytes()) {}

Memory::~Memory() {
  for (const auto& block : blocks_) api_.FreeMemory(device_, block->memory, nullptr);
}

Buffer* Memory::allocate(std::uint64_t bytes, std::uint64_t alignment, Place place) {
  const bool too_many = place == Place::device && bytes > total_bytes_;
  if (too_many || bytes > physical_.max_allocation_bytes) {
    throw plugin::KernelError(
        TENON_ERROR_OUT_OF_MEMORY,
        plugin::text("[vulkan] out of memory: ", bytes, " bytes asked for, the device has ", total_bytes_,
                     " and gives at most ", physical_.max_allocation_bytes, " at once"));
  }
  auto buffer = std::make_unique<Buffer>();
  auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = std::max<std::uint64_t>(bytes, 1);
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(api_.CreateBuffer(device_, &info, nullptr, &buffer->buffer),
        plugin::text("creating a buffer of ", bytes, " bytes"));
  buffer->bytes = bytes;
  VkMemoryRequirements needed{};
  api_.GetBufferMemoryRequirements(device_, buffer->buffer, &needed);
  try {
    const std::lock_guard lock(mutex_);
    bind(*buffer, needed, std::max<std::uint64_t>(needed.alignment, std::max<std::uint64_t>(alignment, 1)), place);
  } catch (...) {
    api_.DestroyBuffer(device_, buffer->buffer, nullptr);
    throw;
  }
  return buffer.release();
}

void Memory::bind(Buffer& buffer, const VkMemoryRequirements& needed, std::uint64_t alignment, Place place) {
  const std::uint32_t type = type_for(needed.memoryTypeBits, place);
  for (const auto& block : blocks_) {
    if (block->type == type && (block->mapped != nullptr) == (place == Place::host) &&
        bind_in(*block, buffer, needed, alignment))
      return;
  }
  Block& fresh = add_block(type, needed.size > block_bytes / 2 ? needed.size : block_bytes, place);
  if (!bind_in(fresh, buffer, needed, alignment)) plugin::refuse("[vulkan] a fresh block has no room");
}

bool Memory::bind_in(Block& block, Buffer& buffer, const VkMemoryRequirements& needed, std::uint64_t alignment) {
  const std::uint64_t offset = block.take(needed.size, alignment);
  if (offset == Block::no_piece) return false;
  const VkResult result = api_.BindBufferMemory(device_, buffer.buffer, block.memory, offset);
  if (result != VK_SUCCESS) block.give_back(offset, needed.size);
  check(result, plugin::text("binding a buffer of ", buffer.bytes, " bytes to its memory"));
  buffer.block = &block;
  buffer.offset = offset;
  buffer.taken_bytes = needed.size;
  buffer.mapped = block.mapped == nullptr ? nullptr : block.mapped + offset;
  if (is_own(block.type)) taken_bytes_ += needed.size;
  return true;
}

Block& Memory::add_block(std::uint32_t type, std::uint64_t bytes, Place place) {
  blocks_.reserve(blocks_.size() + 1);
  auto info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = bytes;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(api_.AllocateMemory(device_, &info, nullptr, &memory), plugin::text("allocating ", bytes, " bytes"));
  void* mapped = nullptr;
  try {
    if (place == Place::host)
      check(api_.MapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapping memory for copies");
    blocks_.push_back(std::make_unique<Block>(memory, type, bytes, static_cast<std::byte*>(mapped)));
  } catch (...) {
    api_.FreeMemory(device_, memory, nullptr);
    throw;
  }
  return *blocks_.back();
}

std::uint32_t Memory::type_for(std::uint32_t allowed, Place place) const {
  constexpr VkMemoryPropertyFlags device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                  host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  // Reading what is not cached costs the host a trip to the device for each word. Vulkan promises the other two.
  std::optional<std::uint32_t> type;
  if (place == Place::host) type = type_with(host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, allowed);
  if (!type) type = type_with(place == Place::host ? host : device, allowed);
  if (!type) plugin::refuse("[vulkan] the device has no memory of the kind that buffers need");
  return *type;
}

// Of the types with all that is wanted the first one in the largest heap, which is the one with the least beside it.
std::optional<std::uint32_t> Memory::type_with(VkMemoryPropertyFlags wanted, std::uint32_t allowed) const {
  const VkPhysicalDeviceMemoryProperties& memory = physical_.memory;
  const auto heap_bytes = [&](std::uint32_t type) {
    return memory.memoryHeaps[memory.memoryTypes[type].heapIndex].size;
  };
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const bool fits = (memory.memoryTypes[i].propertyFlags & wanted) == wanted && (allowed >> i & 1) != 0;
    if (fits && (!found || heap_bytes(i) > heap_bytes(*found))) found = i;
  }
  return found;
}

bool Memory::is_own(std::uint32_t type) const {
  const VkMemoryHeap& heap = physical_.memory.memoryHeaps[physical_.memory.memoryTypes[type].heapIndex];
  return (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
}

void Memory::free(Buffer* buffer) {
  const std::unique_ptr<Buffer> owned(buffer);
  api_.DestroyBuffer(device_, buffer->buffer, nullptr);
  const std::lock_guard lock(mutex_);
  if (is_own(buffer->block->type)) taken_bytes_ -= buffer->taken_bytes;
  buffer->block->give_back(buffer->offset, buffer->taken_bytes);
  const auto alone = [&](const auto& b) { return b.get() == buffer->block; };
  const auto at = std::find_if(blocks_.begin(), blocks_.end(), alone);
  if (at != blocks_.end() && (*at)->empty() && (*at)->bytes != block_bytes)
    remove(static_cast<std::size_t>(at - blocks_.begin()));
}

void Memory::remove(std::size_t block) {
  api_.FreeMemory(device_, blocks_[block]->memory, nullptr);
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(block));
}

void Memory::trim() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = blocks_.size(); i-- != 0;) {
    if (blocks_[i]->empty()) remove(i);
  }
}

std::uint64_t Memory::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return total_bytes_ - std::min(total_bytes_, taken_bytes_);
}

}  // namespace tenon::vulkan
