// The plugin `cpu`: the device of device.h and every capsule that the files of its providers end with.
#include "tenon/plugin.hpp"
#include "device.h"

namespace tenon::cpu {
namespace {

struct Cpu {
  // The version comes from the build, so that it is that of libtenon.
  static constexpr plugin::Identity identity{"cpu", "tenon", TENON_PLUGIN_VERSION};
  static constexpr const tenon_devices* devices = &cpu::devices;
};

}  // namespace
}  // namespace tenon::cpu

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer<tenon::cpu::Cpu>(query, reply);
}
