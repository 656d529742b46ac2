// Says that it needs a checker's run-time library, of a kind that nobody has.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->sanitizer = TENON_SANITIZER_MEMORY;
  return TENON_OK;
}
