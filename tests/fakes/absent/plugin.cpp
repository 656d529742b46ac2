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

constexpr tenon_devices make_devices() {
  tenon_devices table = unimplemented_devices();
  table.enumerate = enumerate;
  return table;
}
constexpr tenon_devices absent_devices = make_devices();

struct AbsentPlugin {
  static constexpr Identity identity{ABSENT_NAME, "acme", "0.1.0"};
  static constexpr const tenon_devices* devices = &absent_devices;
  AbsentPlugin() {
    if (ABSENT_REFUSES) refuse("the licence has run out");
  }
};

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer<AbsentPlugin>(query, reply);
}
