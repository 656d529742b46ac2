// The plugin `null`: complete, and without a single ability: what a host must be able to live with. It includes nothing
// but the SDK, and its CMakeLists.txt is two lines.
//
// What a plugin consists of, from the bottom of this file to its top:
//
//   4. tenon_plugin_query   the one symbol that leaves the library
//   3. the plugin           who this is, and its life: a class
//   2. tenon_devices        what the hardware can be asked to do
//   1. capsules             kernels, each with its contract
//
// Ownership: everything handed to the host is constant and lives in this library. Threads: any, for everything here.
#include "tenon/plugin.hpp"

namespace {

using tenon::plugin::Arguments;
using tenon::plugin::FixedText;
using tenon::plugin::Reason;
using tenon::plugin::SignatureView;

// -- 1. capsules --------------------------------------------------------------------------------------------

// What all kernels of one origin have in common. A device may be served by several providers, even by another plugin's:
// what matters is that the memory domains agree.
struct NullProvider : tenon::plugin::Provider {
  static constexpr FixedText prefix = "null";  // of the capsules' names
  static constexpr const char* name = "null";
  static constexpr const char* memory_domain = "null";
};

// A kernel is a class. The constructor prepares: it reads shapes and attributes, and throws KernelError (most easily by
// plugin::refuse) if something is wrong. The call operator launches. Between the two the host may ask for the workspace
// that the kernel needs; sdk/include/tenon/plugin/capsule.h lists what else a kernel can say of itself.
template <class T>
class Add {
 public:
  using dtypes = T(T, T);  // result(operands); operands of other types never reach this class

  // A capsule that cannot serve something says why, and the host shows the reason to who asked. This one serves
  // nothing.
  static bool supports(const SignatureView&, Reason& why) { return why.decline("the null device computes nothing"); }

  explicit Add(const SignatureView&) {}
  void operator()(const Arguments&) const {}
};

// Makes null.add.f32 and null.add.f64. Every kernel file ends like this, and needs no mention anywhere else.
TENON_CAPSULES capsules = tenon::plugin::for_types<NullProvider, "add", Add, float, double>;

// -- 2. devices ---------------------------------------------------------------------------------------------

// Tells the host what there is, usable or not, without opening it. A device that cannot be used says why in `usable`
// and `why_unusable`: a missing driver is an answer, not an error.
std::int32_t enumerate(void*, tenon_device_sink* sink, void* context) {
  return tenon::plugin::guard([&] {
    tenon_device_info info{};
    info.size = sizeof info;
    info.device_class = TENON_CLASS_OTHER;
    info.kind = "null";  // as in `--device null`
    info.name = "no device";
    info.driver = "";
    info.architecture = "none";
    info.base_alignment_bytes = info.offset_alignment_bytes = 64;
    info.native_float = tenon::plugin::dtype_of<float>;
    info.memory_domain = "null";
    sink(context, &info);
  });
}

// Every other slot says TENON_UNIMPLEMENTED. A plugin under construction replaces them one by one.
constexpr tenon_devices devices = [] {
  tenon_devices table = tenon::plugin::unimplemented_devices();
  table.enumerate = enumerate;
  return table;
}();

// -- 3. the plugin ------------------------------------------------------------------------------------------

// Who this is. An object is made when the host initialises the plugin, the first call that may touch a driver; what it
// may have besides (options, a way to finish its work) stands in sdk/include/tenon/plugin/table.h.
struct Null {
  static constexpr tenon::plugin::Identity identity{"null", "tenon", "0.1.0"};
  static constexpr const tenon_devices* devices = &::devices;
};

}  // namespace

// -- 4. the one exported symbol -----------------------------------------------------------------------------

// Agrees with the host on a version of the ABI, and hands over the table.
extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer<Null>(query, reply);
}
