// Two plugins whose device is not there. Both bring matmul, whose kernels say more when they are asked:
//   absent      has no driver; its kernels take up to 1000 columns
//   unlicensed  refuses to initialise, so that its kernels must never be asked
#include <cstdlib>

#include "tenon/plugin.hpp"

namespace {

using namespace tenon::plugin;

struct Absent : Provider {
  static constexpr FixedText prefix{ABSENT_NAME};
  static constexpr const char* name = ABSENT_NAME;
  static constexpr const char* memory_domain = "absent memory";
  static constexpr tenon_numerics numerics = strict_numerics(TENON_REDUCTION_FIXED_LEFT);
};

template <class T>
class Matmul {
 public:
  using dtypes = T(T, T);

  static bool supports(const SignatureView& signature, Reason& why) {
    if (ABSENT_REFUSES) std::abort();
    if (signature.output().shape()[1] <= 1000) return true;
    return why.decline("at most 1000 columns");
  }

  explicit Matmul(const SignatureView&) {}
  void operator()(const Arguments&) const {}
};

TENON_CAPSULES capsules = for_types<Absent, "matmul", Matmul, float, double>;

std::int32_t enumerate(void*, tenon_device_sink* sink, void* context) {
  return guard([&] {
    tenon_device_info info{};
    info.size = sizeof info;
    info.device_class = TENON_CLASS_OTHER;
    info.kind = ABSENT_NAME;
    info.native_float = dtype_of<double>;
    info.memory_domain = "absent memory";
    info.usable = TENON_REASON_DRIVER_MISSING;
    info.why_unusable = "libabsent.so.1 is not installed";
    sink(context, &info);
  });
}

template <class... Arguments>
std::int32_t unimplemented(Arguments...) {
  return TENON_UNIMPLEMENTED;
}

constexpr tenon_devices make_devices() {
  tenon_devices table{};
  table.size = sizeof table;
  table.enumerate = enumerate;
  table.open = unimplemented;
  table.close = unimplemented;
  table.memory_alloc = unimplemented;
  table.memory_free = unimplemented;
  table.memory_info = unimplemented;
  table.memory_trim = unimplemented;
  table.stream_create = unimplemented;
  table.stream_destroy = unimplemented;
  table.stream_wait = unimplemented;
  table.stream_synchronize = unimplemented;
  table.copy = unimplemented;
  table.copy_in = unimplemented;
  table.copy_out = unimplemented;
  table.fill = unimplemented;
  table.event_create = unimplemented;
  table.event_destroy = unimplemented;
  table.event_record = unimplemented;
  table.event_query = unimplemented;
  table.event_wait = unimplemented;
  table.event_error = unimplemented;
  return table;
}
constexpr tenon_devices devices = make_devices();

std::int32_t initialize(const tenon_attr* options, std::uint32_t option_count, void** self) {
  *self = nullptr;
  return guard([&] {
    check_options(ABSENT_NAME, {options, option_count});
    if (ABSENT_REFUSES) refuse("the licence has run out");
  });
}
std::int32_t quiesce(void*) { return TENON_OK; }
void shutdown(void*) {}
const void* extension(void*, const char*, std::uint32_t) { return nullptr; }

const tenon_plugin* table() {
  static const tenon_plugin plugin = [] {
    tenon_plugin p{};
    p.size = sizeof p;
    p.id = ABSENT_NAME;
    p.vendor = "acme";
    p.version = "0.1.0";
    p.build = __VERSION__;
    p.devices = &devices;
    p.capsule_count = static_cast<std::uint32_t>(linked_capsules().size());
    p.capsules = linked_capsules().data();
    p.initialize = initialize;
    p.quiesce = quiesce;
    p.shutdown = shutdown;
    p.extension = extension;
    return p;
  }();
  return &plugin;
}

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer_query(ABSENT_NAME, query, reply, table);
}
