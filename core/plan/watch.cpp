#include "tenon/watch.h"

#include <algorithm>

#include "tenon/attributes_text.h"
#include "tenon/text.h"

namespace tenon {
namespace {

/// What tells one kernel from another: the same capsule and operands may do more work along another axis.
std::string key_of(const Kernel& kernel) {
  const Request& request = kernel.request();
  return join(std::vector<std::string>{kernel.choice().capsule->name, to_string(request), to_string(request.attributes),
                                       std::string(name(request.mode))},
              " | ");
}

}  // namespace

Watch::Watch(std::shared_ptr<Device> device, std::vector<RunObserver*> observers)
    : device_(std::move(device)),
      observers_(std::move(observers)),
      timed_(std::ranges::any_of(observers_, &RunObserver::needs_times)),
      timer_(*device_) {
  device_->observe(this);
}

Watch::~Watch() { device_->observe(nullptr); }

void Watch::session(const SessionFacts& facts) {
  for (RunObserver* observer : observers_) observer->session(facts);
}

/// Kernels that are alike are one: a program that leaves its trace has a new step for every operation.
std::uint32_t Watch::meet(const Kernel& kernel) {
  const auto number = static_cast<std::uint32_t>(kernels_.size());
  const auto [known, is_new] = numbers_.emplace(key_of(kernel), number);
  if (!is_new) return known->second;
  kernels_.push_back(watched_kernel(kernel));
  for (RunObserver* observer : observers_) observer->first_launch(kernel, number);
  return number;
}

void Watch::launched() {
  std::optional<TimeSpan> when = TimeSpan{};
  if (timed_) when = timer_.end(launched_);
  if (!when) {
    if (timer_.is_full()) deliver_late_times();
    return;
  }
  for (RunObserver* observer : observers_) observer->launched(launched_, *when);
}

void Watch::deliver_late_times() { timer_.drain(observers_); }

/// A copy is waited for by who asked for it; so that its time is its own, what came before it is waited for first.
void Watch::copying(CopyKind kind, std::uint64_t bytes) {
  copy_ = kind;
  copy_bytes_ = bytes;
  if (!timed_) return;
  device_->settle();
  copy_begin_ns_ = timer_.now_ns();
}

void Watch::copied() {
  TimeSpan when{};
  if (timed_) {
    if (copy_ == CopyKind::within) device_->settle();
    when = {copy_begin_ns_, timer_.now_ns()};
  }
  for (RunObserver* observer : observers_) observer->copied(copy_, copy_bytes_, when);
}

void Watch::allocated(std::uint64_t bytes) {
  bytes_in_use_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, bytes_in_use_);
  tell_memory();
}

/// What was allocated before the watch began is not counted.
void Watch::freed(std::uint64_t bytes) {
  bytes_in_use_ -= std::min(bytes, bytes_in_use_);
  tell_memory();
}

void Watch::tell_memory() {
  const std::uint64_t now_ns = timer_.now_ns();
  for (RunObserver* observer : observers_) observer->memory(bytes_in_use_, now_ns);
}

void Watch::enter(std::string_view name) {
  open_.push_back({name, timer_.now_ns()});
  for (RunObserver* observer : observers_) observer->entered(open_.back().begin_ns, open_.size() - 1);
}

void Watch::leave() {
  const TimeSpan when{open_.back().begin_ns, timer_.now_ns()};
  const std::string_view name = open_.back().name;
  open_.pop_back();
  if (open_.empty()) deliver_late_times();
  for (RunObserver* observer : observers_) observer->passed(name, when, open_.size());
}

RunFacts Watch::facts(bool complete) {
  deliver_late_times();
  return {.kernels = kernels_, .times = timer_.source(), .peak_bytes = peak_bytes_, .complete = complete};
}

}  // namespace tenon
