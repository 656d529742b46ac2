// memory.h: the device's memory. A handle names a Block; no handle is an address that the host could follow.
//
// In this example the bytes lie in the host's memory, because it computes there; the host is not told where. A real
// device keeps what its driver calls the allocation in the Block. The host frees each block after its last use.
// Threads: any.
#pragma once
#include <atomic>
#include <cstddef>

#include "tenon/plugin.h"

namespace acme {

struct Block {
  std::byte* data;
  std::uint64_t bytes;
};

class Memory {
 public:
  explicit Memory(std::uint64_t total_bytes) : total_bytes_(total_bytes) {}

  /// Throws KernelError of TENON_ERROR_OUT_OF_MEMORY, which the host words for the user.
  tenon_memory allocate(std::uint64_t bytes, std::uint64_t alignment);
  void free(std::uint64_t handle);

  std::uint64_t total_bytes() const { return total_bytes_; }
  std::uint64_t free_bytes() const { return total_bytes_ - used_bytes_; }

 private:
  void reserve(std::uint64_t bytes);

  const std::uint64_t total_bytes_;
  std::atomic<std::uint64_t> used_bytes_{0};
};

/// Where a reference points, for the device's own side; null for a tensor without elements. Nothing is looked up: this
/// is on the launch path.
inline std::byte* place(tenon_ref ref) {
  return ref.memory == 0 ? nullptr : reinterpret_cast<const Block*>(ref.memory)->data + ref.offset_bytes;
}

/// The same for a copy, whose bounds are cheap to check.
std::byte* checked_place(tenon_ref ref, std::uint64_t bytes, const char* what);

}  // namespace acme
