// watch.h: the one who looks when a run is watched, and tells the observers.
//
// An Executor without a Watch pays one comparison for each launch. A Watch shares its device and takes itself off it
// when it goes; sessions end before. One thread at a time. Watching changes no result.
#pragma once
#include <memory>
#include <unordered_map>

#include "tenon/launch_timer.h"
#include "tenon/run_observer.h"

namespace tenon {

class TENON_API Watch final : public DeviceObserver {
 public:
  static constexpr std::uint32_t unseen = ~std::uint32_t{0};

  /// `observers` outlive it.
  Watch(std::shared_ptr<Device> device, std::vector<RunObserver*> observers);
  ~Watch() override;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void session(const SessionFacts& facts);

  /// Around each launch. `number` is the kernel's here, kept by the step.
  void launching(const Kernel& kernel, std::uint32_t& number) {
    if (number == unseen) [[unlikely]]
      number = meet(kernel);
    launched_ = number;
    if (timed_) timer_.begin(is_asynchronous(kernel));
  }
  void launched();

  void copying(CopyKind kind, std::uint64_t bytes) override;
  void copied() override;
  void allocated(std::uint64_t bytes) override;
  void freed(std::uint64_t bytes) override;

  /// Parts of a run, one in the other; WatchScope calls them.
  void enter(std::string_view name);
  void leave();

  /// Waits for times that are still under way.
  RunFacts facts(bool complete);
  bool has_launched() const { return !kernels_.empty(); }

 private:
  static bool is_asynchronous(const Kernel& kernel) {
    return (kernel.choice().capsule->traits & TENON_TRAIT_ASYNC) != 0;
  }
  std::uint32_t meet(const Kernel& kernel);
  void deliver_late_times();
  void tell_memory();

  std::shared_ptr<Device> device_;
  std::vector<RunObserver*> observers_;
  bool timed_;
  LaunchTimer timer_;
  std::vector<WatchedKernel> kernels_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by capsule and what was asked of it
  std::uint32_t launched_ = unseen;
  struct Open {
    std::string_view name;
    std::uint64_t begin_ns;
  };
  std::vector<Open> open_;
  CopyKind copy_ = CopyKind::in;
  std::uint64_t copy_bytes_ = 0, copy_begin_ns_ = 0;
  std::uint64_t bytes_in_use_ = 0, peak_bytes_ = 0;
};

/// A part of a run, for as long as it stands. `watch` may be null; `name` is a literal.
class WatchScope {
 public:
  WatchScope(Watch* watch, std::string_view name) : watch_(watch) {
    if (watch_ != nullptr) watch_->enter(name);
  }
  ~WatchScope() { end(); }
  WatchScope(const WatchScope&) = delete;
  WatchScope& operator=(const WatchScope&) = delete;

  void next(std::string_view name) {
    if (watch_ == nullptr) return;
    watch_->leave();
    watch_->enter(name);
  }
  void end() {
    if (watch_ != nullptr) watch_->leave();
    watch_ = nullptr;
  }

 private:
  Watch* watch_;
};

}  // namespace tenon
