// Agrees on a version and gives no table.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->plugin = nullptr;
  return TENON_OK;
}
