// Is not who its manifest says.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.version = "2.0";
  return faulty::answer(query, reply);
}
