// Was built against a header that was changed without a new version.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->fingerprint = TENON_ABI_FINGERPRINT + 1;
  return TENON_OK;
}
