// like_late.h: the device of tests/fakes/late under another name.
#pragma once
#include "fakes/late/device.h"
#include "tenon/plugin.hpp"

namespace acceptance {

/// Whom enumerate really tells.
struct Sink {
  tenon_device_sink* tell;
  void* context;
  void operator()(const tenon_device_info& info) const { tell(context, &info); }
};

/// `tell_late` gets a Sink for its context, and passes on what it makes of the late device's facts.
template <tenon_device_sink* tell_late>
std::int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  Sink changed{sink, context};
  return tenon::late::devices.enumerate(self, tell_late, &changed);
}

template <tenon_device_sink* tell_late>
tenon_plugin plugin_like_late(const char* id) {
  static const tenon_devices devices = [] {
    tenon_devices table = tenon::late::devices;
    table.enumerate = enumerate<tell_late>;
    return table;
  }();
  tenon_plugin plugin = *tenon::late::table();
  plugin.id = id;
  plugin.devices = &devices;
  return plugin;
}

}  // namespace acceptance
