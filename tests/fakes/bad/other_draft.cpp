// Was built against another draft of the same version.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->fingerprint = tenon_abi_fingerprint(TENON_ABI) + 1;
  return TENON_OK;
}
