// Its table of devices ends before the mandatory part does.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::device_table.size = offsetof(tenon_devices, event_wait);
  return faulty::answer(query, reply);
}
