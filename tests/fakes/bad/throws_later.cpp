// Lets exceptions out when its first device is opened, when its second gets a stream, and at the end.
#include <stdexcept>

#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  tenon_devices& t = faulty::device_table;
  t.enumerate = [](void*, tenon_device_sink* sink, void* context) -> std::int32_t {
    tenon_device_info info = faulty::device_info();
    for (info.ordinal = 0; info.ordinal < 2; ++info.ordinal) sink(context, &info);
    return TENON_OK;
  };
  t.open = [](void* self, std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* options, std::uint32_t count,
              tenon_device** device) -> std::int32_t {
    if (ordinal == 0) throw std::runtime_error("no door");
    return faulty::open(self, ordinal, cookie, options, count, device);
  };
  t.close = faulty::close;
  t.stream_create = [](tenon_device*, std::uint32_t, tenon_stream**) -> std::int32_t { throw 42; };
  faulty::plugin_table.shutdown = [](void*) { throw std::runtime_error("no end"); };
  return faulty::answer(query, reply);
}
