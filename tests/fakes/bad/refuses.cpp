// Fails to initialise, in words; knows no option.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.initialize = [](const tenon_attr*, std::uint32_t, void**) -> std::int32_t {
    faulty::host->set_error(TENON_ERROR, "the licence has run out");
    return TENON_ERROR;
  };
  return faulty::answer(query, reply);
}
