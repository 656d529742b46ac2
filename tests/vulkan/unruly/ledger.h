// ledger.h: what lives below the layer, what was counted, and what was found wrong. One lock; any thread.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>
#include <tuple>

#include "plan.h"
#include "unruly.h"

namespace tenon::unruly {

class Ledger {
 public:
  Ledger() : plan_(from_environment()), ends_process_(std::getenv("TENON_UNRULY") != nullptr) {}

  void begin(const char* words) {
    const std::lock_guard lock(mutex_);
    plan_ = Plan(words);
    calls_ = matching_ = submissions_ = examined_ = 0;
    lost_ = false;
    failed_.clear(), faults_.clear();
  }
  const char* faults() { return faults_.c_str(); }
  const char* failed() { return failed_.c_str(); }
  int calls() const { return calls_; }

  template <class Ask>
  auto plan(const Ask& ask) {
    const std::lock_guard lock(mutex_);
    return ask(plan_);
  }

  /// 0, or the result that this call has instead of happening.
  long planned(std::string_view function, bool may_lose) {
    const std::lock_guard lock(mutex_);
    ++calls_;
    constexpr long device_lost = -4;
    if (function == "QueueSubmit" && ++submissions_ == plan_.number("lost", 0, 0)) lost_ = true;
    if (lost_ && may_lose) return device_lost;
    if (!plan_.names("fail", function) || ++matching_ != plan_.number("fail", 1, 0)) return 0;
    failed_ = function;
    if (ends_process_) std::fprintf(stderr, "unruly: vk%s failed as planned\n", failed_.c_str());
    return plan_.number("fail", 2, -1);
  }

  /// How often a device was looked at.
  int examine() {
    const std::lock_guard lock(mutex_);
    return examined_++;
  }

  void fault(const std::string& words) {
    const std::lock_guard lock(mutex_);
    add_fault(words);
  }

  // -- what lives

  void born(std::uint64_t device, std::string_view kind, std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    live_.emplace(device, kind, handle);
  }
  void died(std::uint64_t device, std::string_view kind, std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    if (handle != 0 && live_.erase({device, kind, handle}) == 0)
      add_fault("a " + std::string(kind) + " was destroyed that does not live");
  }
  void use(std::string_view kind, std::uint64_t handle, std::string_view by) {
    const std::lock_guard lock(mutex_);
    for (const auto& [device, of, number] : live_) {
      if (of == kind && number == handle) return;
    }
    add_fault("vk" + std::string(by) + " was given a " + std::string(kind) + " that does not live");
  }
  void end_of_device(std::uint64_t device) {
    const std::lock_guard lock(mutex_);
    for (auto at = live_.begin(); at != live_.end();) {
      if (std::get<0>(*at) != device) {
        ++at;
        continue;
      }
      add_fault("left at the end of its device: a " + std::string(std::get<1>(*at)));
      at = live_.erase(at);
    }
  }

 private:
  static std::string from_environment() {
    const char* words = std::getenv("TENON_UNRULY");
    return words == nullptr ? "" : words;
  }
  void add_fault(const std::string& words) {
    constexpr int status_of_faults = 86;
    faults_ += words + "\n";
    if (!ends_process_) return;
    std::fprintf(stderr, "unruly: %s\n", words.c_str());
    _exit(status_of_faults);
  }

  std::mutex mutex_;
  Plan plan_;
  const bool ends_process_;
  int calls_ = 0, matching_ = 0, submissions_ = 0, examined_ = 0;
  bool lost_ = false;
  std::string failed_, faults_;
  std::set<std::tuple<std::uint64_t, std::string_view, std::uint64_t>> live_;
};

}  // namespace tenon::unruly
