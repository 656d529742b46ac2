// plugin.h: the plugin's object: its settings, Vulkan's instance, the devices that are open.
//
// Lives from initialize() to shutdown(). Threads: any.
#pragma once
#include "device.h"

namespace tenon::vulkan {

class Vulkan {
 public:
  static constexpr plugin::Identity identity{"vulkan", "tenon", TENON_PLUGIN_VERSION};
  static const tenon_devices* const devices;
  static constexpr std::string_view options[] = {"validation"};

  explicit Vulkan(const plugin::Options& given);
  void quiesce();

  void enumerate(tenon_device_sink* sink, void* context);
  Device* open(std::uint32_t ordinal, std::uint64_t cookie);
  void close(Device* device);

 private:
  Instance& instance();

  Validation validation_;
  std::mutex mutex_;
  std::unique_ptr<Instance> instance_;
  std::vector<Device*> open_;
  std::map<std::uint32_t, StrictFailure> battery_;  // of each ordinal, once asked
};

}  // namespace tenon::vulkan
