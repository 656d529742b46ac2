#include "memory.h"

#include <memory>

#include "tenon/plugin.hpp"

namespace acme {

using tenon::plugin::KernelError;
using tenon::plugin::refuse;
using tenon::plugin::text;

namespace {

constexpr std::uint64_t least_alignment_bytes = 64;

[[noreturn]] void fail_out_of_memory(std::uint64_t wanted, std::uint64_t free, std::uint64_t total) {
  throw KernelError(TENON_ERROR_OUT_OF_MEMORY,
                    text("[vendor] out of memory: ", wanted, " bytes asked for, ", free, " of ", total, " free"));
}

}  // namespace

// Two threads may ask at once: neither may take what the other one got.
void Memory::reserve(std::uint64_t bytes) {
  std::uint64_t used = used_bytes_;
  do {
    if (bytes > total_bytes_ - used) fail_out_of_memory(bytes, total_bytes_ - used, total_bytes_);
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes));
}

tenon_memory Memory::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  auto block = std::make_unique<Block>();
  reserve(bytes);
  block->bytes = bytes;
  block->data = static_cast<std::byte*>(
      tenon::plugin::host->alloc(std::max<std::uint64_t>(bytes, 1), std::max(alignment, least_alignment_bytes)));
  if (block->data == nullptr) {
    used_bytes_ -= bytes;
    fail_out_of_memory(bytes, free_bytes(), total_bytes_);
  }
  // The last field is where the host may read the memory itself: nowhere.
  return {sizeof(tenon_memory), 0, reinterpret_cast<std::uintptr_t>(block.release()), bytes, nullptr};
}

void Memory::free(std::uint64_t handle) {
  const std::unique_ptr<Block> block(reinterpret_cast<Block*>(handle));
  if (block == nullptr) refuse("[vendor] memory_free of nothing");
  tenon::plugin::host->free(block->data);
  used_bytes_ -= block->bytes;
}

std::byte* checked_place(tenon_ref ref, std::uint64_t bytes, const char* what) {
  if (ref.memory == 0 && bytes == 0) return nullptr;
  if (ref.memory == 0) refuse("[", what, "] ", bytes, " bytes of no memory");
  const auto& block = *reinterpret_cast<const Block*>(ref.memory);
  if (ref.offset_bytes > block.bytes || bytes > block.bytes - ref.offset_bytes) {
    refuse("[", what, "] ", bytes, " bytes from byte ", ref.offset_bytes, " on: the memory has ", block.bytes);
  }
  return place(ref);
}

}  // namespace acme
