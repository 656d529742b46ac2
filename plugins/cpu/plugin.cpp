// The plugin `cpu`: the device of device.h and every capsule that the files of its providers end with.
#include "tenon/plugin.hpp"
#include "device.h"
#include "instance.h"

namespace tenon::cpu {
namespace {

struct Cpu : Instance {
  // The version comes from the build, so that it is that of libtenon.
  static constexpr plugin::Identity identity{"cpu", "tenon", TENON_PLUGIN_VERSION};
  static constexpr const tenon_devices* devices = &cpu::devices;
  explicit Cpu(const plugin::Options& given) : Instance(given, native::Processor::here()) {}
};
static_assert(std::is_standard_layout_v<Cpu>);  // so that the device may take `self` for an Instance

}  // namespace
}  // namespace tenon::cpu

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer<tenon::cpu::Cpu>(query, reply);
}
