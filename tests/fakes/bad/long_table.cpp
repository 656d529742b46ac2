// Was built against the next minor version, whose table has one more entry. Nothing is wrong with that.
#include "faulty.h"

namespace {
struct LongerDevices {
  tenon_devices known;
  std::int32_t (*added)();
} longer;
}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  longer.known = faulty::device_table;
  longer.known.size = sizeof longer;
  longer.added = faulty::nothing<>;
  faulty::plugin_table.devices = &longer.known;
  faulty::answer(query, reply);
  reply->abi_max = TENON_ABI + 1;
  return TENON_OK;
}
