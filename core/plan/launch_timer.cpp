#include "tenon/launch_timer.h"

#include <algorithm>

#include "tenon/guarded.h"

namespace tenon {
namespace {

/// Did the plugin's function of the name `slot` do what it is for? Without, there are other ways to tell the time, and
/// nobody asks for its words: a later error has its own.
template <class Call>
bool done(const Device& device, const char* slot, Call call) {
  const auto status = guarded(device.plugin().candidate().manifest.library, slot, call);
  if (status && *status == TENON_OK) return true;
  clear_plugin_error();
  return false;
}

void destroy(const Device& device, tenon_event* event) {
  guarded_end(device.plugin().candidate().manifest.library, "event_destroy",
              [&] { return device.plugin().devices().event_destroy(event); });
}

}  // namespace

LaunchTimer::~LaunchTimer() {
  if (!pending_.empty()) device_.settle();
  for (const Pair& pair : pairs_) {
    destroy(device_, pair.begin);
    destroy(device_, pair.end);
  }
  if (base_ != nullptr) destroy(device_, base_);
}

std::uint64_t LaunchTimer::now_ns() const {
  const auto since = std::chrono::steady_clock::now() - start_;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

bool LaunchTimer::record(tenon_event* event) {
  return done(device_, "event_record",
              [&] { return device_.plugin().devices().event_record(event, device_.stream()); });
}

tenon_event* LaunchTimer::recorded_event() {
  const tenon_devices& call = device_.plugin().devices();
  tenon_event* event = nullptr;
  if (!done(device_, "event_create", [&] { return call.event_create(device_.handle(), 0, &event); })) return nullptr;
  if (record(event)) return event;
  destroy(device_, event);
  return nullptr;
}

/// Tried once: a device may say that it stamps events, and the plugin lack the function that reads the stamps.
bool LaunchTimer::has_device_clock() {
  if (has_device_clock_) return *has_device_clock_;
  has_device_clock_ = false;
  if ((device_.facts().flags & TENON_DEVICE_TIMESTAMPS) == 0) return false;
  const tenon_devices& call = device_.plugin().devices();
  base_ = recorded_event();
  std::uint64_t elapsed_ns = 0;
  if (base_ == nullptr || !done(device_, "event_wait", [&] { return call.event_wait(base_, TENON_FOREVER); }))
    return false;
  base_ns_ = now_ns();
  pairs_.reserve(most_pending);
  pending_.reserve(most_pending);
  has_device_clock_ =
      done(device_, "event_elapsed_ns", [&] { return call.event_elapsed_ns(base_, base_, &elapsed_ns); });
  return *has_device_clock_;
}

std::optional<LaunchTimer::Pair> LaunchTimer::pair(std::size_t i) {
  if (i < pairs_.size()) return pairs_[i];
  const tenon_devices& call = device_.plugin().devices();
  Pair made{};
  const auto create = [&](tenon_event*& event) {
    return done(device_, "event_create", [&] { return call.event_create(device_.handle(), 0, &event); });
  };
  if (!create(made.begin)) return std::nullopt;
  if (!create(made.end)) {
    destroy(device_, made.begin);
    return std::nullopt;
  }
  pairs_.push_back(made);
  return made;
}

void LaunchTimer::begin(bool asynchronous) {
  current_ = TimeSource::host_clock;
  if (asynchronous) {
    current_ = TimeSource::synchronised;
    if (has_device_clock())
      if (const auto events = pair(pending_.size()); events && record(events->begin))
        current_ = TimeSource::device_events;
  }
  source_ = std::max(source_, current_);
  begin_ns_ = now_ns();
}

std::optional<TimeSpan> LaunchTimer::end(std::uint32_t kernel) {
  if (current_ == TimeSource::device_events && record(pairs_[pending_.size()].end)) {
    pending_.push_back(kernel);
    return std::nullopt;
  }
  if (current_ != TimeSource::host_clock) device_.settle();
  return TimeSpan{begin_ns_, now_ns()};
}

std::optional<TimeSpan> LaunchTimer::interval(const Pair& pair) const {
  const tenon_devices& call = device_.plugin().devices();
  std::uint64_t begin_ns = 0, duration_ns = 0;
  const auto elapsed = [&](tenon_event* from, tenon_event* to, std::uint64_t& ns) {
    return done(device_, "event_elapsed_ns", [&] { return call.event_elapsed_ns(from, to, &ns); });
  };
  if (!elapsed(base_, pair.begin, begin_ns) || !elapsed(pair.begin, pair.end, duration_ns)) return std::nullopt;
  return TimeSpan{base_ns_ + begin_ns, base_ns_ + begin_ns + duration_ns};
}

void LaunchTimer::drain(std::span<RunObserver* const> observers) {
  if (pending_.empty()) return;
  device_.settle();
  for (std::size_t i = 0; i < pending_.size(); ++i)
    if (const auto when = interval(pairs_[i]))
      for (RunObserver* observer : observers) observer->launched(pending_[i], *when);
  pending_.clear();
}

}  // namespace tenon
