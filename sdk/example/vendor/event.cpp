#include "event.h"

#include "stream.h"
#include "tenon/plugin.hpp"

namespace acme {

using tenon::plugin::from_handle;
using tenon::plugin::refuse;

// -- one recording ------------------------------------------------------------------------------------------

void Completion::finish(Result result) {
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  time_ = Clock::now();
  done_ = true;
  finished_.notify_all();
}

bool Completion::wait(std::uint64_t timeout_ns) {
  // Beyond this a clock would overflow.
  constexpr std::uint64_t forever_ns = std::uint64_t{365} * 24 * 3600 * 1'000'000'000;
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return done_; };
  if (timeout_ns < forever_ns) return finished_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), is_done);
  finished_.wait(lock, is_done);
  return true;
}

// -- events -------------------------------------------------------------------------------------------------

std::shared_ptr<Completion> Event::latest() {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void Event::record(tenon_stream* stream) {
  auto completion = std::make_shared<Completion>();
  from_handle<Stream>(stream).record(completion);
  const std::lock_guard lock(mutex_);
  latest_ = std::move(completion);
}

std::int32_t Event::query() { return wait(0); }

std::int32_t Event::wait(std::uint64_t timeout_ns) {
  const auto completion = latest();
  if (completion == nullptr) return TENON_OK;
  if (!completion->wait(timeout_ns)) return TENON_PENDING;
  const Result& result = completion->result();
  if (result.status != TENON_OK) throw tenon::plugin::KernelError(result.status, result.words);
  return TENON_OK;
}

void Event::error(tenon_text* words) {
  const auto completion = latest();
  const bool is_done = completion != nullptr && completion->is_done();
  tenon::plugin::write(words, is_done ? completion->result().words : std::string());
}

void Event::elapsed_ns(tenon_event* to, std::uint64_t* nanoseconds) {
  const auto begin = latest(), end = from_handle<Event>(to).latest();
  if (begin == nullptr || end == nullptr || !begin->is_done() || !end->is_done()) {
    refuse("[vendor] event_elapsed_ns: both events must be recorded and done");
  }
  const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(end->time() - begin->time()).count();
  *nanoseconds = elapsed < 0 ? 0 : static_cast<std::uint64_t>(elapsed);
}

}  // namespace acme
