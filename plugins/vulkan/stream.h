// stream.h: work in order: what is asked for is noted, recorded when a batch is full or somebody waits, and submitted.
//
// A ring of batches, each with its command buffer, descriptor sets and a part of the staging memory, all made when the
// stream is. Noting a launch allocates nothing and takes no lock; when a batch is full it is handed to the driver, and
// where all batches are under way the caller waits for the oldest. Owned by the host; threads: one caller.
#pragma once
#include <array>

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
  /// Submits what was noted; the value that says that all is done.
  std::uint64_t flush();
  /// False: not in time.
  bool synchronize(std::uint64_t timeout_ns);

 private:
  static constexpr std::size_t batch_count = 4, commands_per_batch = 64;
  static constexpr std::uint64_t staging_bytes = 512 << 10;  // of each batch

  struct Batch {
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    std::array<VkDescriptorSet, commands_per_batch> sets{};
    std::array<Command, commands_per_batch> commands;
    std::size_t count = 0;
    std::uint64_t staged_bytes = 0, value = 0;
    std::vector<Device::Readback> readbacks;
  };

  void create();
  void destroy();
  Batch& current() { return (*batches_)[at_]; }
  void make_room();
  Range stage(std::uint64_t wanted, std::byte*& place);
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
  std::size_t at_ = 0;
  std::uint64_t last_ = 0, after_ = 0;
  // What was touched since the last barrier of the batch that is being recorded.
  struct Touched {
    Range range;
    bool written;
  };
  std::array<Touched, commands_per_batch * max_bindings> touched_;
  std::size_t touched_count_ = 0;
};

}  // namespace tenon::vulkan
