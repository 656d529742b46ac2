// Speaks a later major version only, whatever its manifest says.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->abi_min = reply->abi_max = TENON_ABI_VERSION(2, 0);
  reply->abi = 0;
  reply->plugin = nullptr;
  return TENON_ERROR;
}
