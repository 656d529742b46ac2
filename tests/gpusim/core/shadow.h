// shadow.h: who touched a byte last, and whether that was ordered before who touches it now.
//
// Time of a launch is cut into intervals: each block of a launch begins a new one, and so does each barrier of the
// block. Intervals are numbered through the life of a device, so that one number tells the launch, the block and the
// barrier. Within an interval, a warp's own barriers cut its time into warp intervals. Two accesses of different
// threads, one of them a write, are ordered
//   - if they belong to different launches (streams are the driver's business),
//   - in one block, if a barrier of the block lies between, or both are of one warp and a barrier of the warp does,
//   - in different blocks, never; shared memory is another one for each block.
// Atomic accesses do not race with each other, though with plain ones, and order nothing else: a kernel in which the
// last block, as an atomic counter tells it, reads what the others wrote is reported. Nothing in this project needs
// that.
#pragma once
#include <cstddef>
#include <cstdint>

namespace gpusim {

/// The moment and the author of an access.
struct Moment {
  std::uint32_t launch_begin;  // first interval of the launch
  std::uint32_t block_begin;   // first interval of the block
  std::uint32_t interval;
  std::uint16_t thread;
  std::uint16_t warp;
  std::uint32_t warp_interval;
};

enum class Access : std::uint8_t { read, write, atomic };

/// The shadow of one byte; all zero for one that was never touched.
struct Cell {
  struct Last {
    std::uint32_t interval = 0;
    std::uint32_t warp_interval = 0;
    std::uint16_t thread = 0;  // or one of many()
    std::uint16_t warp = 0;
    std::uint16_t many = 0;            // several threads: of one warp (1) or of more (2)
    std::uint32_t several_blocks = 0;  // launch in which several blocks did it
  };
  Last write, atomic, read;

  bool written_in(std::uint32_t since) const { return write.interval >= since || atomic.interval >= since; }
  /// Records an access. True: it races with an earlier one.
  bool races(const Moment& now, Access access, bool shared_memory);
};

/// Cells of a range of bytes, which take memory only where they were touched.
class Shadow {
 public:
  explicit Shadow(std::size_t bytes);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;
  Cell& at(std::size_t offset) { return cells_[offset]; }

 private:
  Cell* cells_;
  std::size_t mapped_bytes_;
};

}  // namespace gpusim
