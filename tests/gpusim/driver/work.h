// work.h: streams and events of a fake driver.
//
// A stream is a queue; its work is done in order, by the thread that waits for it or, where lateness is random, by
// whoever calls the driver. Guarded by the driver's lock, which is held also while work is done.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "core/random.h"
#include "status.h"

namespace gpusim::driver {

struct Stream;

/// One recording of an event. Later recordings of the event are others, and who waits for this one does not see them
/// (CUDA Driver API, cuStreamWaitEvent: "captures the contents of hEvent at the time of the call").
struct Recording {
  bool done = false;
  std::uint64_t time = 0;
  Stream* stream = nullptr;     // which may be gone
  std::size_t freed_bytes = 0;  // what the stream had freed by then
};

struct Event {
  int device;
  bool timed;
  std::shared_ptr<Recording> last;  // null: never recorded, which counts as complete (cuEventQuery)
  bool complete() const { return last == nullptr || last->done; }
};

struct Work {
  /// Gets the error that the device has, and gives the one that this work caused. Done also when there is an error, so
  /// that events complete and callbacks are called; what uses the device looks at it first.
  std::function<Status(Status)> run;
  std::shared_ptr<Recording> after;  // waits for it, if there is one
};

struct Stream {
  int device;
  bool destroyed = false;  // its work goes on (cuStreamDestroy: "released ... once the device has completed all work")
  std::deque<Work> queue;
  std::size_t freed_bytes = 0, seen_freed_bytes = 0;  // given back to the pool, and known to the host to be
  bool may_go_on() const { return !queue.empty() && (queue.front().after == nullptr || queue.front().after->done); }
};

}  // namespace gpusim::driver
