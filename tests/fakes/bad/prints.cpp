// Writes to standard output, which belongs to results.
#include <cstdio>

#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.initialize = [](const tenon_attr*, std::uint32_t, void**) -> std::int32_t {
    std::puts("Thank you for choosing Faulty!");
    return TENON_OK;
  };
  faulty::device_table.enumerate = [](void* self, tenon_device_sink* sink, void* context) -> std::int32_t {
    std::puts("Faulty looks for devices.");
    return faulty::enumerate(self, sink, context);
  };
  return faulty::answer(query, reply);
}
