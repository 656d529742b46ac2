// Names no version.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->abi_min = reply->abi_max = reply->abi = 0;
  return TENON_OK;
}
