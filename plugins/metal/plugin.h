// plugin.h: the plugin's object: the GPUs, and those of them that are open.
//
// Lives from initialize() to shutdown(). Threads: any.
#pragma once
#include "device.h"

namespace tenon::metal {

class Metal {
 public:
  static constexpr plugin::Identity identity{"metal", "tenon", TENON_PLUGIN_VERSION};
  static const tenon_devices* const devices;

  void quiesce();

  void enumerate(tenon_device_sink* sink, void* context);
  Device* open(std::uint32_t ordinal, std::uint64_t cookie);
  void close(Device* device);

 private:
  /// Asked of Metal once, since a device is a reference that is held.
  const std::vector<std::unique_ptr<Gpu>>& gpus();

  std::mutex mutex_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
  std::vector<Device*> open_;
  std::map<std::uint32_t, StrictFailure> battery_;  // of each ordinal, once asked
};

}  // namespace tenon::metal
