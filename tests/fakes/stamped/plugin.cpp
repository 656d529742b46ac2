// A device that stamps its events, for what is timed by them: everything else is the late device's.
#include <map>
#include <mutex>

#include "device.h"
#include "tenon/plugin.hpp"

namespace tenon::stamped {
namespace {

constexpr std::uint64_t tick_ns = 1000;

struct Clock {
  std::mutex mutex;
  std::uint64_t now_ns = 0;
  std::map<tenon_event*, std::uint64_t> stamps;
};

Clock& device_clock() {
  static Clock instance;
  return instance;
}

/// Whom enumerate really tells.
struct Sink {
  tenon_device_sink* tell;
  void* context;
};

void tell_stamped(void* context, const tenon_device_info* late) {
  tenon_device_info info = *late;
  info.kind = "stamped";
  info.flags |= TENON_DEVICE_TIMESTAMPS;
  const auto& sink = *static_cast<Sink*>(context);
  sink.tell(sink.context, &info);
}

std::int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  Sink stamped{sink, context};
  return late::devices.enumerate(self, tell_stamped, &stamped);
}

std::int32_t event_record(tenon_event* event, tenon_stream* stream) {
  return plugin::guard([&] {
    Clock& clock = device_clock();
    const std::lock_guard held(clock.mutex);
    clock.stamps[event] = clock.now_ns += tick_ns;
    return late::devices.event_record(event, stream);
  });
}

std::int32_t event_elapsed_ns(tenon_event* from, tenon_event* to, std::uint64_t* nanoseconds) {
  return plugin::guard([&] {
    Clock& clock = device_clock();
    const std::lock_guard held(clock.mutex);
    *nanoseconds = clock.stamps.at(to) - clock.stamps.at(from);
  });
}

const tenon_plugin* table() {
  static const tenon_devices devices = [] {
    tenon_devices table = late::devices;
    table.enumerate = enumerate;
    table.event_record = event_record;
    table.event_elapsed_ns = event_elapsed_ns;
    return table;
  }();
  static const tenon_plugin plugin = [] {
    tenon_plugin table = *late::table();
    table.id = "stamped";
    table.devices = &devices;
    return table;
  }();
  return &plugin;
}

}  // namespace
}  // namespace tenon::stamped

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer_query("stamped", query, reply, tenon::stamped::table);
}
