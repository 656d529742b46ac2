// Leaves a mandatory function out.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::device_table.copy_in = nullptr;
  return faulty::answer(query, reply);
}
