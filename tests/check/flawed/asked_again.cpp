// Has another table for each query.
#include "sound.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  static tenon_plugin copies[64];
  static int asked = 0;
  const std::int32_t status = sound::answer(query, reply);
  if (status != TENON_OK) return status;
  tenon_plugin& copy = copies[asked++ % 64];
  copy = sound::plugin;
  reply->plugin = &copy;
  return status;
}
