// Never comes back from initialize.
#include <unistd.h>

#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.initialize = [](const tenon_attr*, std::uint32_t, void**) -> std::int32_t {
    while (true) ::pause();
  };
  return faulty::answer(query, reply);
}
