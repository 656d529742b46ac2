// stream.h: work in order: what is asked for is noted, and recorded and submitted when a batch is full or somebody
// waits.
//
// A ring of batches, each with its command buffer, descriptor sets and a part of the staging memory, all made when the
// stream is. Noting a launch allocates nothing, takes no lock and calls no driver: a batch that is full is left to the
// stream's worker. Only where every batch of the ring is under way the caller waits for the oldest one. Whoever flushes
// records himself what the worker has not yet begun.
//
// Where a batch cannot be submitted, it and what follows it are dropped; the next synchronise has that error, once
// nothing is under way any more. Owned by the host; threads: one caller, and the worker.
#pragma once
#include <array>
#include <thread>

#include "device.h"

namespace tenon::vulkan {

/// A part of a buffer that a command reads or writes.
struct Range {
  VkBuffer buffer;
  std::uint64_t offset, bytes;
};

struct Command {
  enum class Kind : std::uint8_t { dispatch, copy, fill, stamp };
  Kind kind;
  std::uint32_t range_count, written;  // bit i: ranges[i] is written
  std::array<Range, max_bindings> ranges;
  // dispatch
  VkPipeline pipeline;
  std::array<std::uint32_t, 3> groups;
  std::uint32_t push_bytes;
  std::array<std::byte, max_push_bytes> push;
  std::uint32_t word;  // fill
  VkQueryPool query;   // stamp
};

class Stream {
 public:
  explicit Stream(Device& device);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Device& device() const { return device_; }

  /// The next command, to be filled in.
  Command& next();

  void copy(Range to, Range from);
  void copy_in(Range to, const void* from);
  void copy_out(void* to, Range from);
  void fill(Range to, const void* pattern, std::uint32_t pattern_bytes);
  void stamp(VkQueryPool query);

  /// What follows waits until the timeline has come so far.
  void wait_for(std::uint64_t value);
  /// Submits what was noted; the value that says that all is done. Throws what a batch failed with.
  std::uint64_t flush();
  /// False: not in time. An error is told once.
  bool synchronize(std::uint64_t timeout_ns);

  static constexpr std::size_t batch_count = 8, commands_per_batch = 64;

 private:
  static constexpr std::uint64_t staging_bytes = 256 << 10;  // of each batch

  struct Batch {
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    std::array<VkDescriptorSet, commands_per_batch> sets{};
    std::array<Command, commands_per_batch> commands;
    std::size_t count = 0;
    std::uint64_t staged_bytes = 0;
    std::uint64_t after = 0, value = 0;  // of the timeline: what it waits for, and what it raises it to
    std::vector<Device::Readback> readbacks;

    void empty() { count = 0, staged_bytes = 0, after = 0, readbacks.clear(); }
  };

  void create();
  void destroy();
  Batch& current() { return (*batches_)[filled_.load(std::memory_order_relaxed) % batch_count]; }
  void hand_over();
  void make_room();
  Range stage(std::uint64_t wanted, std::byte*& place);
  void work();
  void wake();
  void submit_filled();
  void submit(Batch& batch);
  void record(Batch& batch);
  void record(Batch& batch, std::size_t number);
  void record_dispatch(const Batch& batch, const Command& command, VkDescriptorSet set);
  void barrier(VkCommandBuffer buffer, VkAccessFlags to);
  bool conflicts(const Command& command) const;
  void note(const Command& command);

  Device& device_;
  const DeviceFunctions& api_;
  VkCommandPool commands_ = VK_NULL_HANDLE;
  VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
  Buffer* staging_ = nullptr;
  std::unique_ptr<std::array<Batch, batch_count>> batches_;
  std::uint64_t after_ = 0;  // of the batch that is being filled
  // Batches that were handed over, and those of them that were submitted or dropped: numbers that only grow. A batch
  // between the two belongs to whoever holds recording_, every other one to the caller.
  std::atomic<std::uint64_t> filled_{0}, submitted_{0};
  std::atomic<std::int32_t> calls_{0};  // raised to wake the worker
  std::atomic<bool> ends_{false};
  std::thread worker_;
  std::mutex recording_;  // guards what follows
  std::uint64_t last_ = 0;
  std::optional<plugin::KernelError> failure_;
  // What was touched since the last barrier of the batch that is being recorded.
  struct Touched {
    Range range;
    bool written;
  };
  std::array<Touched, commands_per_batch * max_bindings> touched_;
  std::size_t touched_count_ = 0;
};

}  // namespace tenon::vulkan
