// Knows no option; without one it works.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.initialize = [](const tenon_attr* options, std::uint32_t count, void**) -> std::int32_t {
    if (count == 0) return TENON_OK;
    faulty::host->set_error(TENON_ERROR_UNKNOWN_OPTION, options[0].name);
    return TENON_ERROR_UNKNOWN_OPTION;
  };
  return faulty::answer(query, reply);
}
