#include "memory.h"

#include <cstring>

#include "tenon/plugin.hpp"

namespace tenon::late {
namespace {

using plugin::KernelError;
using plugin::refuse;
using plugin::text;

constexpr std::uint64_t block_alignment = 64;

/// NaN in binary32 and, signalling, in binary64; as a label far beyond every class.
constexpr std::uint32_t unwritten = 0x7ff4dead;

/// Handles are small odd numbers: no page of the host is there.
constexpr std::uint64_t next_handle(std::uint64_t last) { return last == 0 ? 1 : last + 2; }

void fill_unwritten(std::byte* data, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; i += sizeof unwritten) {
    std::memcpy(data + i, &unwritten, std::min<std::uint64_t>(sizeof unwritten, bytes - i));
  }
}

std::string words(const Subject& subject) {
  return text("[", std::string_view(subject.operation), "] ", std::string_view(subject.role), " ", subject.index);
}

}  // namespace

Memory::~Memory() {
  for (const auto& [handle, block] : blocks_) plugin::host->free(block.data);
}

std::uint64_t Memory::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  const std::lock_guard lock(mutex_);
  // The entry first: where there is no memory for it, nothing has been taken.
  const std::uint64_t handle = next_handle(last_handle_);
  Block& block = blocks_[handle];
  if (bytes <= limit_bytes_ - used_bytes_)
    block.data = static_cast<std::byte*>(
        plugin::host->alloc(std::max<std::uint64_t>(bytes, 1), std::max(alignment, block_alignment)));
  if (block.data == nullptr) {
    blocks_.erase(handle);
    throw KernelError(TENON_ERROR_OUT_OF_MEMORY, text("[late] out of memory: ", bytes, " bytes asked for, ",
                                                      limit_bytes_ - used_bytes_, " of ", limit_bytes_, " free"));
  }
  block.bytes = bytes;
  fill_unwritten(block.data, bytes);
  used_bytes_ += bytes;
  return last_handle_ = handle;
}

void Memory::free(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(handle);
  if (found == blocks_.end()) refuse_handle(handle, "[late] memory_free");
  used_bytes_ -= found->second.bytes;
  plugin::host->free(found->second.data);
  blocks_.erase(found);
}

std::byte* Memory::at(tenon_ref ref, std::uint64_t bytes, std::uint64_t alignment, const Subject& subject) const {
  if (ref.memory == 0 && bytes == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(ref.memory);
  if (found == blocks_.end()) refuse_handle(ref.memory, words(subject));
  const Block& block = found->second;
  if (ref.offset_bytes % alignment != 0) {
    refuse(words(subject), ": offset ", ref.offset_bytes, " of memory ", ref.memory, " is no multiple of ", alignment,
           " bytes");
  }
  if (ref.offset_bytes > block.bytes || bytes > block.bytes - ref.offset_bytes) {
    refuse(words(subject), ": bytes ", ref.offset_bytes, " to ", ref.offset_bytes + bytes,
           " are out of bounds: memory ", ref.memory, " has ", block.bytes);
  }
  return block.data + ref.offset_bytes;
}

void Memory::refuse_handle(std::uint64_t handle, const std::string& what) const {
  if (handle == 0) refuse(what, ": no memory is given");
  if (handle % 2 == 1 && handle <= last_handle_) refuse(what, ": memory ", handle, " was freed before this use");
  refuse(what, ": ", handle, " is no memory of this device");
}

std::uint64_t Memory::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return limit_bytes_ - used_bytes_;
}

std::size_t Memory::blocks() const {
  const std::lock_guard lock(mutex_);
  return blocks_.size();
}

}  // namespace tenon::late
