// The plugin `cpu`: the device of device.h and every capsule that the files of its providers end with.
#include "tenon/plugin.hpp"
#include "device.h"
#include "instance.h"

namespace tenon::cpu {
namespace {

std::int32_t initialize(const tenon_attr* options, std::uint32_t option_count, void** self) {
  *self = nullptr;
  return plugin::guard([&] { *self = new Instance({options, option_count}, native::Processor::here()); });
}
std::int32_t quiesce(void*) { return TENON_OK; }  // nothing is ever under way
void shutdown(void* self) { delete static_cast<Instance*>(self); }
const void* extension(void* self, const char* name, std::uint32_t version) {
  return static_cast<const Instance*>(self)->extension(name, version);
}

const tenon_plugin* table() {
  static const tenon_plugin plugin = [] {
    tenon_plugin p{};
    p.size = sizeof p;
    p.id = "cpu";
    p.vendor = "tenon";
    p.version = TENON_PLUGIN_VERSION;  // from the build, so that it is that of libtenon
    p.build = __VERSION__;
    p.devices = &devices;
    p.capsule_count = static_cast<std::uint32_t>(plugin::linked_capsules().size());
    p.capsules = plugin::linked_capsules().data();
    p.initialize = initialize;
    p.quiesce = quiesce;
    p.shutdown = shutdown;
    p.extension = extension;
    return p;
  }();
  return &plugin;
}

}  // namespace
}  // namespace tenon::cpu

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer_query("cpu", query, reply, tenon::cpu::table);
}
