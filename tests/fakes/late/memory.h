// memory.h: memory that the host cannot reach: a handle is a number that is never an address and never used twice.
//
// Every access names what it wants and is checked: freed memory, bounds and alignment are errors in words. Fresh memory
// holds signalling NaNs, so that reading what nobody wrote shows. Owns all blocks. Any thread.
#pragma once
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "tenon/plugin.h"

namespace tenon::late {

/// Who wants memory, put into words only when something is wrong: "[add] output 0".
struct Subject {
  const char* operation;
  const char* role;
  std::size_t index = 0;
};

class Memory {
 public:
  explicit Memory(std::uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment);
  void free(std::uint64_t handle);

  /// The place of `bytes` bytes; null for none. Throws KernelError, whose words begin with the subject.
  std::byte* at(tenon_ref ref, std::uint64_t bytes, std::uint64_t alignment, const Subject& subject) const;

  std::uint64_t free_bytes() const;
  std::uint64_t total_bytes() const { return limit_bytes_; }
  std::size_t blocks() const;

 private:
  struct Block {
    std::byte* data;
    std::uint64_t bytes;
  };
  [[noreturn]] void refuse_handle(std::uint64_t handle, const std::string& what) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Block> blocks_;
  std::uint64_t limit_bytes_, used_bytes_ = 0, last_handle_ = 0;
};

}  // namespace tenon::late
