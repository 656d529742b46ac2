// A device `vendor` whose own width is f64 and that multiplies matrices of f32 only. Everything else is the late
// device's.
#include <string_view>
#include <vector>

#include "acceptance/plugins/like_late.h"

namespace {

void tell_kind(void* sink, const tenon_device_info* late) {
  tenon_device_info info = *late;
  info.kind = "vendor";
  (*static_cast<const acceptance::Sink*>(sink))(info);
}

std::vector<const tenon_capsule*> capsules_without_wide_products() {
  const tenon_plugin& late = *tenon::late::table();
  std::vector<const tenon_capsule*> out(late.capsules, late.capsules + late.capsule_count);
  std::erase_if(out, [](const tenon_capsule* capsule) { return capsule->name == std::string_view("late.matmul.f64"); });
  return out;
}

const tenon_plugin* table() {
  static const std::vector<const tenon_capsule*> capsules = capsules_without_wide_products();
  static const tenon_plugin plugin = [] {
    tenon_plugin changed = acceptance::plugin_like_late<tell_kind>("narrow_products");
    changed.capsules = capsules.data();
    changed.capsule_count = static_cast<std::uint32_t>(capsules.size());
    return changed;
  }();
  return &plugin;
}

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer_query("narrow_products", query, reply, table);
}
