// memory.h: the memory of one simulated device.
//
// An allocation ends at a page that nothing may touch, holds NaNs until it is written, is closed to the host unless an
// Opened lives, and is not used again for long after it was freed. Its address is one of the host's, so that kernels
// run on it as they are. Members expect the caller to hold the simulator's lock.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "shadow.h"

namespace gpusim {

class Memory {
 public:
  enum class Life : std::uint8_t { not_yet, live, freed };  // not yet: its stream has still to come to it

  struct Allocation {
    char* base = nullptr;
    std::size_t bytes = 0;
    Life life = Life::live;
    std::uint64_t last_use = UINT64_MAX;  // number of the last work of the driver that may use it
    std::vector<bool> written;            // per byte
    std::unique_ptr<Shadow> shadow;

    std::size_t offset(const void* address) const { return std::size_t(static_cast<const char*>(address) - base); }
    bool holds(const void* address, std::size_t count) const {
      return address >= base && offset(address) <= bytes && count <= bytes - offset(address);
    }
    char* body = nullptr;  // whole pages
    std::size_t body_bytes = 0;
  };

  enum class Host : std::uint8_t { kept_out, may_touch };

  /// What the host may touch is pinned memory: nobody sees when the host writes it, so it counts as written.
  explicit Memory(std::size_t capacity_bytes, Host host = Host::kept_out);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Null: nothing is left.
  void* allocate(std::size_t bytes, Life life = Life::live);
  /// The stream came to the allocation.
  void begin_life(void* base);
  /// Work of a later number must not use the allocation, though it is there until it is freed.
  void end_use(void* base, std::uint64_t last_use);
  /// False: no live allocation begins there.
  bool free(void* base);

  /// The allocation, live or freed, that an address lies in or right behind; or null.
  Allocation* find(const void* address);
  /// Whether so many bytes lie in one live allocation.
  bool holds(const void* address, std::size_t bytes);
  /// Whether the address was ever this device's.
  bool knows(const void* address) { return find(address) != nullptr; }

  /// What the driver does for the host. The bytes must lie in live allocations.
  void write(void* to, const void* from, std::size_t bytes);
  void read(void* to, const void* from, std::size_t bytes);
  void copy(void* to, const void* from, std::size_t bytes);
  void fill(void* to, const void* pattern, std::size_t pattern_bytes, std::size_t count);

  /// For kernels whose accesses nobody sees.
  void everything_written();

  std::size_t capacity_bytes() const { return capacity_bytes_; }
  std::size_t used_bytes() const { return used_bytes_; }
  std::size_t live() const;
  /// Says what is live, for a report of leaks.
  std::vector<const Allocation*> leaks() const;

  /// While one lives, the host may touch the memory.
  class Opened {
   public:
    explicit Opened(Memory& memory) : memory_(memory) { memory_.open(); }
    ~Opened() { memory_.close(); }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    Memory& memory_;
  };

  static constexpr std::size_t alignment_bytes = 256;  // CUDA C++ Programming Guide, "Device Memory Accesses"

 private:
  void open();
  void close();
  void protect(bool readable);
  void forget_oldest();
  void mark_written(Allocation& allocation, const void* address, std::size_t bytes);

  std::size_t capacity_bytes_, used_bytes_ = 0;
  Host host_;
  std::map<std::uintptr_t, Allocation> allocations_;  // by base; freed ones stay a while
  std::vector<std::uintptr_t> freed_;                 // oldest first
  Allocation* recent_ = nullptr;
  int opened_ = 0;
};

}  // namespace gpusim
