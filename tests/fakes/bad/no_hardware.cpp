// Has a driver and no device.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::device_table.enumerate = [](void*, tenon_device_sink* sink, void* context) -> std::int32_t {
    tenon_device_info info{};
    info.size = sizeof info;
    info.device_class = TENON_CLASS_OTHER;
    info.kind = FAULTY_NAME;
    info.usable = TENON_REASON_NO_DEVICE;
    info.why_unusable = "driver present, 0 devices";
    sink(context, &info);
    return TENON_OK;
  };
  return faulty::answer(query, reply);
}
