// event.h: a place in the work of a stream, and the time at which the GPU came to it.
//
// Owned by the host. Threads: any; recorded by the stream's caller.
#pragma once
#include "stream.h"

namespace tenon::metal {

class Event {
 public:
  void record(Stream& stream);
  /// Never recorded: reached.
  Moment moment() const;
  std::int32_t wait(std::uint64_t timeout_ns) const;
  /// From here to the other one, both done.
  std::uint64_t elapsed_ns(const Event& to) const;

 private:
  double seconds() const;

  mutable std::mutex mutex_;
  Moment moment_;
  Object commands_;  // that end there
};

}  // namespace tenon::metal
