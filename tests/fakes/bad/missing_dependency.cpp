// Needs a library that is not installed.
#include "faulty.h"

extern "C" std::int32_t vendor_dependency();

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return vendor_dependency() + faulty::answer(query, reply);
}
