// launch_timer.h: when a launch began and ended.
//
// A capsule that is done when launch() returns is timed by the host's clock. One that may work on is timed by two
// events of the device, if it stamps them, and else by waiting for it. Times of events are known later: they are kept
// until drain(). Owns its events; its device outlives it. One thread at a time.
#pragma once
#include <chrono>
#include <optional>

#include "tenon/run_observer.h"

namespace tenon {

class TENON_API LaunchTimer {
 public:
  explicit LaunchTimer(Device& device) : device_(device) {}
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

  std::uint64_t now_ns() const;

  void begin(bool asynchronous);
  /// The launch was made. When it ran, unless the device will tell that later.
  std::optional<TimeSpan> end(std::uint32_t kernel);

  bool is_full() const { return pending_.size() == most_pending; }
  /// Waits for the launches whose times are not known yet, and tells of them. A launch whose events failed is left out.
  /// Needs no memory: parts of a run end in destructors.
  void drain(std::span<RunObserver* const> observers);

  /// The most disturbing of those that were used.
  TimeSource source() const { return source_; }

 private:
  static constexpr std::size_t most_pending = 1024;
  struct Pair {
    tenon_event *begin, *end;
  };
  bool has_device_clock();
  tenon_event* recorded_event();
  std::optional<Pair> pair(std::size_t i);
  bool record(tenon_event* event);
  std::optional<TimeSpan> interval(const Pair& pair) const;

  Device& device_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  TimeSource source_ = TimeSource::host_clock, current_ = TimeSource::host_clock;
  std::uint64_t begin_ns_ = 0;
  std::optional<bool> has_device_clock_;
  tenon_event* base_ = nullptr;  // happened at base_ns_
  std::uint64_t base_ns_ = 0;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> pending_;  // kernels, in the order of pairs_
};

}  // namespace tenon
