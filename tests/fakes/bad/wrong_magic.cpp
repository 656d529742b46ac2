// Replies in another language.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::answer(query, reply);
  reply->magic = 0x12345678;
  return TENON_OK;
}
