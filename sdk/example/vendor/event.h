// event.h: how the host learns that a stream has come to some place, when, and whether all went well until there.
//
// A Completion is one recording. It is shared by the event, by the stream that will reach it and by the streams that
// wait for it, so that the host may record the event anew, or destroy it, at any time. Threads: any.
#pragma once
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "tenon/plugin.h"

namespace acme {

/// TENON_OK, or how the first failed work ended and what it had to say.
struct Result {
  std::int32_t status = TENON_OK;
  std::string words;
};

class Completion {
 public:
  using Clock = std::chrono::steady_clock;

  void finish(Result result);

  /// False if the time is over before the stream got here.
  bool wait(std::uint64_t timeout_ns);
  bool is_done() { return wait(0); }

  // Once it is done:
  const Result& result() const { return result_; }
  Clock::time_point time() const { return time_; }

 private:
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  Result result_;
  Clock::time_point time_;
};

class Event {
 public:
  // The slots of the table in device.cpp.
  void record(tenon_stream* stream);
  std::int32_t query();
  std::int32_t wait(std::uint64_t timeout_ns);
  void error(tenon_text* words);
  void elapsed_ns(tenon_event* to, std::uint64_t* nanoseconds);

  /// The latest recording; null before the first one, which counts as done.
  std::shared_ptr<Completion> latest();

 private:
  std::mutex mutex_;
  std::shared_ptr<Completion> latest_;
};

}  // namespace acme
