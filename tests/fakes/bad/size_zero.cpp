// Its table says that it has no bytes.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.size = 0;
  return faulty::answer(query, reply);
}
