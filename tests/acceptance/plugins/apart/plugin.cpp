// A device that tells in its name what it finds behind the names that it shares with another vendor. Everything else is
// the late device's.
#include <string>

#include "acceptance/plugins/like_late.h"
#include "vendor_names.h"

namespace {

void tell_values(void* sink, const tenon_device_info* late) {
  const std::string values = "helper " + std::to_string(vendor_helper()) + ", inline " + std::to_string(vendor_value) +
                             ", template " + std::to_string(VendorCache<int>::value);
  tenon_device_info info = *late;
  info.kind = APART_KIND;
  info.name = values.c_str();
  (*static_cast<const acceptance::Sink*>(sink))(info);
}

const tenon_plugin* table() {
  static const tenon_plugin plugin = acceptance::plugin_like_late<tell_values>(APART_KIND);
  return &plugin;
}

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer_query(APART_KIND, query, reply, table);
}
