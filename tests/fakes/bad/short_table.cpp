// Was built when the tables ended with their mandatory parts. Nothing is wrong with that.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.size = offsetof(tenon_plugin, extension);
  faulty::device_table.size = offsetof(tenon_devices, event_elapsed_ns);
  // Beyond their sizes stands what the host must not look at.
  faulty::device_table.submit = reinterpret_cast<decltype(tenon_devices::submit)>(0x10);
  return faulty::answer(query, reply);
}
