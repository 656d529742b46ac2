// event.h: a place in a stream's work, with its time and how the work went until there.
//
// Owned by the host between event_create and event_destroy. One that was never recorded counts as done. Threads: any.
#pragma once
#include "driver.h"
#include "tenon/plugin.h"

namespace tenon::gpu {

class Device;

class Event {
 public:
  explicit Event(Device& device);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Slots of the table in table.cpp.
  void record(tenon_stream* stream);
  std::int32_t query();
  std::int32_t wait(std::uint64_t timeout_ns);
  void error(tenon_text* words);
  void elapsed_ns(tenon_event* to, std::uint64_t* nanoseconds);

  NativeEvent native() const { return native_; }

 private:
  void settle(Status status) const;

  Device& device_;
  NativeEvent native_ = nullptr;
};

}  // namespace tenon::gpu
