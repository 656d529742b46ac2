// The plugin `null`: complete, and without a single ability. Copy it to begin a plugin of your own; it includes nothing
// but the SDK, and its CMakeLists.txt is two lines.
//
// What a plugin consists of, from the bottom of this file to its top:
//
//   4. tenon_plugin_query   the one symbol that leaves the library
//   3. tenon_plugin         who this is, and its life: initialize, quiesce, shutdown
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

// Fits every slot. A plugin under construction replaces them one by one; optional slots may also be null.
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

// -- 3. the plugin ------------------------------------------------------------------------------------------

// The first call that may touch a driver. What it stores in self comes back in every later call. Options are those of
// `--option null.key=value`; one that a plugin does not know is an error, which check_options words.
std::int32_t initialize(const tenon_attr* options, std::uint32_t option_count, void** self) {
  *self = nullptr;
  return tenon::plugin::guard([&] { tenon::plugin::check_options("null", {options, option_count}); });
}

// Finish what is under way: the process is about to end, or to fork.
std::int32_t quiesce(void*) { return TENON_OK; }

void shutdown(void*) {}

const void* extension(void*, const char*, std::uint32_t) { return nullptr; }

// Made when it is first asked for, since loading a library should run no code.
const tenon_plugin* table() {
  static const tenon_plugin plugin = [] {
    tenon_plugin p{};
    p.size = sizeof p;
    p.id = "null";
    p.vendor = "tenon";
    p.version = "0.1.0";
    p.build = __VERSION__;  // free words: here the compiler
    p.devices = &devices;
    p.capsule_count = static_cast<std::uint32_t>(tenon::plugin::linked_capsules().size());
    p.capsules = tenon::plugin::linked_capsules().data();
    p.initialize = initialize;
    p.quiesce = quiesce;
    p.shutdown = shutdown;
    p.extension = extension;
    return p;
  }();
  return &plugin;
}

}  // namespace

// -- 4. the one exported symbol -----------------------------------------------------------------------------

// Agrees with the host on a version of the ABI, and hands over the table.
extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer_query("null", query, reply, table);
}
