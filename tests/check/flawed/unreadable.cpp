// Reads a query without looking at its size.
#include "sound.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  tenon_query any = *query;
  any.size = sizeof any;
  return sound::answer(&any, reply);
}
