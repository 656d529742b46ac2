// Accepts any host.
#include "sound.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  if (query->magic != TENON_QUERY_MAGIC || query->size < sizeof *query || reply->size < sizeof *reply)
    return TENON_ERROR;
  tenon_query any = *query;
  any.abi_min = 0, any.abi_max = ~0u;
  return sound::answer(&any, reply);
}
