// stream.h: work in order: what is asked for is noted, and encoded and committed when a batch is full or somebody
// waits.
//
// A ring of batches, each with a part of the staging memory, all made when the stream is. Noting a launch allocates
// nothing, takes no lock and calls nothing of Metal's: a batch that is full is left to the stream's worker. Only where
// every batch of the ring is under way the caller waits for the oldest one. Whoever flushes encodes himself what the
// worker has not yet begun.
//
// Where a batch cannot be committed, it and what follows it are dropped; the next synchronise has that error, once
// nothing is under way any more. Owned by the host; threads: one caller, and the worker.
#pragma once
#include <thread>

#include "device.h"
#include "timeline.h"

namespace tenon::metal {

/// A part of a buffer.
struct Range {
  const Buffer* buffer;
  std::uint64_t offset, bytes;
};

inline constexpr std::uint32_t max_bindings = 8, max_constant_bytes = 128;

/// Bytes that the host makes, on the stream's worker, and the GPU copies.
struct HostMade {
  void (*make)(const HostMade& what, void* to, std::uint64_t bytes);
  std::uint64_t key;
  double a, b;
};

struct Command {
  enum class Kind : std::uint8_t { dispatch, copy, fill, make, stamp };
  Kind kind;
  std::uint8_t byte;  // fill
  std::uint32_t range_count, constant_bytes;
  std::array<Range, max_bindings> ranges;  // copy: from, to
  // dispatch
  const Pipeline* pipeline;
  std::array<std::uint32_t, 3> groups;
  std::uint32_t group_threads;
  std::array<std::byte, max_constant_bytes> constants;
  HostMade made;  // make
};

class Stream {
 public:
  explicit Stream(Device& device);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Device& device() const { return device_; }
  const std::shared_ptr<Timeline>& timeline() const { return timeline_; }

  /// The next command, to be filled in.
  Command& next();

  // Offsets and sizes are multiples of 4 where a Range is given with one: Metal copies words. Others wait.
  void copy(Range to, Range from);
  void copy_in(Range to, const void* from);
  void copy_out(void* to, Range from);
  void fill(Range to, const void* pattern, std::uint32_t pattern_bytes);
  /// Something with a time.
  void stamp();

  /// What follows waits until that is reached.
  void wait_for(const Moment& moment);
  /// Commits what was noted; the value of timeline() that says that all is done. Throws what a batch failed with.
  std::uint64_t flush();
  /// False: not in time. An error is told once.
  bool synchronize(std::uint64_t timeout_ns);

  static constexpr std::size_t batch_count = Timeline::capacity, commands_per_batch = 64;

 private:
  static constexpr std::uint64_t staging_bytes = 256 << 10;  // of each batch

  struct Batch {
    std::array<Command, commands_per_batch> commands;
    std::size_t count = 0;
    std::uint64_t staged_bytes = 0;
    std::array<Moment, Timeline::waits_at_once> after;  // what it waits for
    std::size_t after_count = 0;
    std::uint64_t value = 0;  // of the timeline, when it is done
    std::vector<Readback> readbacks;

    void empty();
  };

  void create();
  void destroy();
  Batch& current() { return (*batches_)[filled_.load(std::memory_order_relaxed) % batch_count]; }
  void hand_over();
  void make_room();
  bool idle();
  Range stage(std::uint64_t wanted, std::byte*& place);
  void copy_words_in(Range to, const void* from);
  void copy_words_out(void* to, Range from);
  std::vector<std::byte> read_words(Range around);
  void work();
  void wake();
  void commit_filled();
  void commit(Batch& batch);

  Device& device_;
  std::shared_ptr<Timeline> timeline_;
  Object queue_;
  Buffer* staging_ = nullptr;  // a part for each batch, and room for stamps
  std::unique_ptr<std::array<Batch, batch_count>> batches_;
  // Batches that were handed over, and those of them that were committed or dropped: numbers that only grow. A batch
  // between the two belongs to whoever holds committing_, every other one to the caller.
  std::atomic<std::uint64_t> filled_{0}, committed_{0};
  std::atomic<std::int32_t> calls_{0};  // raised to wake the worker
  std::atomic<bool> ends_{false};
  std::thread worker_;
  std::mutex committing_;
};

}  // namespace tenon::metal
