#include "validate.h"

#include "slots.h"

namespace tenon::host {
namespace {

/// A checking function knows what its slot is given; one that is added to plugin.h needs one, too: a plain one would be
/// handed the numbers that stand for handles.
static_assert(sizeof(tenon_devices) == 8 + 32 * sizeof(void*), "put the new slot among those of validate/");

}  // namespace

std::shared_ptr<ValidatedPlugin> validate(PluginTables& tables) {
  auto plugin = std::make_shared<ValidatedPlugin>();
  plugin->name = tables.plugin.id;
  plugin->real = tables.devices;
  put_device_slots(tables.devices);
  put_stream_slots(tables.devices);
  put_event_slots(tables.devices);
  drop_unchecked_slots(tables.devices);
  Ledger& ledger = Ledger::instance();
  ledger.add(plugin);
  for (tenon_capsule& capsule : tables.capsules) {
    ledger.add_capsule(&capsule, *plugin);
    put_capsule_slots(capsule);
  }
  return plugin;
}

void* validated_self(ValidatedPlugin& plugin, void* self) {
  plugin.self = self;
  return handle_of<void>(plugin.id);
}

void drop_unchecked_slots(tenon_devices& table) {
  table.graph_begin = [](tenon_stream*) -> std::int32_t { return TENON_UNIMPLEMENTED; };
  table.graph_end = [](tenon_stream*, tenon_graph**) -> std::int32_t { return TENON_UNIMPLEMENTED; };
  table.graph_launch = [](tenon_graph*, tenon_stream*) -> std::int32_t { return TENON_UNIMPLEMENTED; };
  table.graph_destroy = [](tenon_graph*) -> std::int32_t { return TENON_UNIMPLEMENTED; };
}

}  // namespace tenon::host
