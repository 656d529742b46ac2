// timeline.h: how far the work of a stream has come.
//
// Each command buffer of a stream raises a value by one, and waits for the one before it, so a value stands for all
// work up to it. Who waits, waits for the command buffers one after the other: a failed one signals nothing, and then
// the value is raised from here, so that what waits for it on the GPU goes on. Held by its stream and by events.
// Threads: any may wait; one at a time adds.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "object.h"
#include "tenon/plugin.hpp"

namespace tenon::metal {

class Timeline;

/// A place in the work of a stream; without a timeline it is reached.
struct Moment {
  std::shared_ptr<Timeline> timeline;
  std::uint64_t value = 0;
};

/// Bytes that go from a buffer that the host sees to where the host wants them, once the work has come so far.
struct Readback {
  void* to;
  const std::byte* from;
  std::uint64_t bytes;
};

class Timeline {
 public:
  /// Command buffers that may be under way.
  static constexpr std::size_t capacity = 8;
  static constexpr std::size_t readbacks_at_once = 64, waits_at_once = 4;

  /// `lost` is called with words when Metal says that the device is gone.
  Timeline(const Object& device, void (*lost)(void* context, const char* words), void* context);
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  const Object& event() const { return event_; }
  std::uint64_t last() const { return last_; }
  /// The command buffer, which was committed, raises the value last() + 1.
  void add(Object commands, std::span<const Moment> after, std::span<const Readback> readbacks);
  /// The newest command buffer, whose times are those of value last().
  Object newest() const;

  bool reached(std::uint64_t value) const { return reached_.load(std::memory_order_acquire) >= value; }
  /// False: not in time. When true, what was read back up to there has reached the host. Throws what work up to there
  /// failed with.
  bool wait(std::uint64_t value, std::uint64_t timeout_ns);

  /// What follows is not worth doing any more.
  void fail(const plugin::KernelError& error);
  bool failed() const;
  /// The failure, which is told once.
  std::optional<plugin::KernelError> take_failure();
  /// Throws the failure, if there is one, and leaves it.
  void throw_failure() const;

 private:
  struct Flight {
    Object commands;
    std::array<Moment, waits_at_once> after;  // those that there are have a timeline
    std::vector<Readback> readbacks;
  };
  bool advance(std::uint64_t value, std::uint64_t timeout_ns);
  bool finish(std::uint64_t value, std::uint64_t timeout_ns);
  void retire(std::uint64_t value);

  void (*const lost_)(void*, const char*);
  void* const context_;
  Object event_;
  mutable std::mutex mutex_;
  std::array<Flight, capacity> flights_;  // value % capacity
  std::uint64_t last_ = 0;
  std::atomic<std::uint64_t> reached_{0};
  std::optional<plugin::KernelError> failure_;
  std::uint64_t failed_value_ = 0;
  Object newest_;
};

}  // namespace tenon::metal
