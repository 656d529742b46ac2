// plugin.h: the plugin itself: its driver, found when it is first needed, and the devices that it shows.
//
// One object, made when the host initialises the plugin. Threads: any.
#pragma once
#include <optional>

#include "device.h"

namespace tenon::gpu {

extern const tenon_devices device_table;

class Plugin {
 public:
  // The version comes from the build, so that it is that of libtenon.
  static constexpr plugin::Identity identity{TENON_GPU_KIND, "tenon", TENON_PLUGIN_VERSION};
  static constexpr const tenon_devices* devices = &device_table;

  // Slots of the table in table.cpp.
  void enumerate(tenon_device_sink* sink, void* context);
  void open(std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* given, std::uint32_t given_count,
            tenon_device** device);

  /// Before the process ends or forks: all work is done when this returns.
  void quiesce();

 private:
  /// A driver that is missing is looked for again: it may have been installed since.
  std::variant<const Driver*, Absence> driver();
  int device_of(const Driver& driver, std::uint32_t ordinal);

  std::mutex mutex_;
  std::optional<Driver> driver_;  // set once, under the lock
  Roster<Device> open_devices_;
};

}  // namespace tenon::gpu
