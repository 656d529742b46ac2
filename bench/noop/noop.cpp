// A plugin of one capsule that does nothing, for measuring what a launch over the ABI costs.
#include "tenon/plugin.hpp"

namespace {

using namespace tenon::plugin;

struct Noop : Provider {
  static constexpr FixedText prefix{"noop"};
  static constexpr const char* name = "noop";
  static constexpr const char* memory_domain = "host";
  static constexpr tenon_numerics numerics = strict_numerics();
};

template <class T>
struct Nothing {
  using dtypes = T(T);
  explicit Nothing(const SignatureView&) {}
  void operator()(const Arguments&) const {}
};

TENON_CAPSULES nothing = for_types<Noop, "neg", Nothing, float>;

}  // namespace

namespace {

std::int32_t initialize(const tenon_attr*, std::uint32_t, void** self) {
  *self = nullptr;
  return TENON_OK;
}
std::int32_t quiesce(void*) { return TENON_OK; }
void shutdown(void*) {}
const void* extension(void*, const char*, std::uint32_t) { return nullptr; }

const tenon_plugin* table() {
  static const tenon_plugin plugin{
      .size = sizeof plugin,
      .flags = 0,
      .id = "noop",
      .vendor = "bench",
      .version = "0.1.0",
      .build = __VERSION__,
      .devices = nullptr,  // kernels only: they serve the CPU's memory
      .capsule_count = static_cast<std::uint32_t>(linked_capsules().size()),
      .pad = 0,
      .capsules = linked_capsules().data(),
      .initialize = initialize,
      .quiesce = quiesce,
      .shutdown = shutdown,
      .extension = extension,
  };
  return &plugin;
}

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer_query("noop", query, reply, table);
}
