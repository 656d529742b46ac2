// The plugin `template_name`: one device, which computes in the host's memory, and two capsules.
//
// It is complete. To make it yours, replace from the bottom of the list upwards, and run the commands of
// README.md after each step:
//
//   Plugin       who this is, which devices there are
//   Device       opened by the host; its memory
//   Stream       where work is done: here at once, on a real device later, in order
//   Event        how the host learns that it is done
//   kernels      what is computed
//
// Every function may throw KernelError, most easily by refuse(); no exception leaves the plugin. The header
// tenon/plugin.h says which thread may call what.
#include <cstring>

#include "tenon/numerics.h"
#include "tenon/plugin.hpp"

namespace {

using namespace tenon::plugin;

// -- kernels ------------------------------------------------------------------------------------------------

// What they have in common. `memory_domain` names the devices whose handles these kernels can follow.
struct Kernels : Provider {
  static constexpr FixedText prefix = "template_name";
  static constexpr const char* name = "template_name";
  static constexpr const char* memory_domain = "template_kind";
  static constexpr tenon_numerics numerics = strict_numerics();  // the bits of docs/numerics.md: a promise
};

// The constructor prepares, the call launches. Everything else that a kernel may say of itself, and how it declines
// what it cannot do, stands in tenon/plugin/capsule.h.
template <class T>
class Add {
 public:
  using dtypes = T(T, T);  // result(operands)

  explicit Add(const SignatureView& signature) : elements_(signature.output().elements()) {}

  void operator()(const Arguments& arguments) const {
    for (std::uint64_t i = 0; i < elements_; ++i)
      arguments.output<T>()[i] = arguments.operand<T>(0)[i] + arguments.operand<T>(1)[i];
  }

 private:
  std::uint64_t elements_;
};

template <class T>
class Fill {
 public:
  using dtypes = T();
  static constexpr auto attributes = names("shape", "value");
  static constexpr bool differentiable = false;

  explicit Fill(const SignatureView& signature)
      : elements_(signature.output().elements()), value_(static_cast<T>(signature.real("value", 0))) {}

  void operator()(const Arguments& arguments) const { std::fill_n(arguments.output<T>(), elements_, value_); }

 private:
  std::uint64_t elements_;
  T value_;
};

TENON_CAPSULES capsules = join(for_types<Kernels, "add", Add, float>, for_types<Kernels, "fill", Fill, float>);

// -- events and streams: everything has happened when a call returns ----------------------------------------

class Event {
 public:
  void record(tenon_stream*) {}
  std::int32_t query() { return TENON_OK; }
  std::int32_t wait(std::uint64_t) { return TENON_OK; }
  void error(tenon_text* words) { write(words, ""); }
};

std::byte* address(tenon_ref ref) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(ref.memory + ref.offset_bytes));
}

class Stream {
 public:
  void wait(tenon_event*) {}
  std::int32_t synchronize(std::uint64_t) { return TENON_OK; }
  void copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) { copy_bytes(address(to), address(from), bytes); }
  void copy_in(tenon_ref to, const void* from, std::uint64_t bytes) { copy_bytes(address(to), from, bytes); }
  void copy_out(void* to, tenon_ref from, std::uint64_t bytes) { copy_bytes(to, address(from), bytes); }
  void fill(tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes) {
    if (pattern_bytes == 0 || bytes % pattern_bytes != 0) refuse("[template_name] fill: not whole patterns");
    for (std::uint64_t at = 0; at < bytes; at += pattern_bytes) std::memcpy(address(to) + at, pattern, pattern_bytes);
  }

 private:
  static void copy_bytes(void* to, const void* from, std::uint64_t bytes) {
    if (bytes != 0) std::memmove(to, from, bytes);
  }
};

// -- the device: a handle of memory is its address ----------------------------------------------------------

class Device {
 public:
  static constexpr std::uint64_t total_bytes = std::uint64_t{1} << 30;

  void memory_alloc(std::uint64_t bytes, std::uint64_t alignment, std::uint32_t, tenon_memory* memory) {
    void* block = nullptr;
    if (bytes <= total_bytes)
      block = host->alloc(std::max<std::uint64_t>(bytes, 1), std::max<std::uint64_t>(alignment, 64));
    if (block == nullptr)
      throw KernelError(TENON_ERROR_OUT_OF_MEMORY, text("[template_name] out of memory: ", bytes, " bytes"));
    // The last field is where the host may read and write it; null for memory that only the device reaches.
    *memory = {sizeof(tenon_memory), 0, reinterpret_cast<std::uintptr_t>(block), bytes, block};
  }
  void memory_free(std::uint64_t memory) { host->free(address({memory, 0})); }
  void memory_info(std::uint64_t* free_bytes, std::uint64_t* all_bytes) { *free_bytes = *all_bytes = total_bytes; }
  void memory_trim() {}
  void stream_create(std::uint32_t, tenon_stream** stream) { *stream = to_handle<tenon_stream>(new Stream); }
  void event_create(std::uint32_t, tenon_event** event) { *event = to_handle<tenon_event>(new Event); }
};

// -- the plugin ---------------------------------------------------------------------------------------------

extern const tenon_devices table;

struct Plugin {
  static constexpr Identity identity{"template_name", "template_vendor", "0.1.0"};
  static constexpr const tenon_devices* devices = &table;

  void enumerate(tenon_device_sink* sink, void* context) {
    tenon_device_info info{};
    info.size = sizeof info;
    info.flags = TENON_DEVICE_SOFTWARE;
    info.device_class = TENON_CLASS_OTHER;
    info.kind = "template_kind";  // as in `--device template_kind`
    info.name = "a new device";
    info.driver = info.architecture = "";
    info.memory_bytes = Device::total_bytes;
    info.base_alignment_bytes = info.offset_alignment_bytes = 64;
    info.native_float = dtype_of<float>;
    info.memory_domain = "template_kind";
    sink(context, &info);
  }

  void open(std::uint32_t ordinal, std::uint64_t, const tenon_attr* options, std::uint32_t option_count,
            tenon_device** device) {
    if (ordinal != 0) refuse("[template_name] there is no device template_kind:", ordinal, ": the only one is :0");
    check_options(identity.id, {options, option_count});
    *device = to_handle<tenon_device>(new Device);
  }
};

template <class Object, class Handle>
std::int32_t destroy(Handle* handle) {
  return guard([&] { delete &from_handle<Object>(handle); });
}

constexpr tenon_devices table = [] {
  tenon_devices t = unimplemented_devices();
  t.enumerate = slot<&Plugin::enumerate>;
  t.open = slot<&Plugin::open>;
  t.close = destroy<Device>;
  t.memory_alloc = slot<&Device::memory_alloc>;
  t.memory_free = slot<&Device::memory_free>;
  t.memory_info = slot<&Device::memory_info>;
  t.memory_trim = slot<&Device::memory_trim>;
  t.stream_create = slot<&Device::stream_create>;
  t.stream_destroy = destroy<Stream>;
  t.stream_wait = slot<&Stream::wait>;
  t.stream_synchronize = slot<&Stream::synchronize>;
  t.copy = slot<&Stream::copy>;
  t.copy_in = slot<&Stream::copy_in>;
  t.copy_out = slot<&Stream::copy_out>;
  t.fill = slot<&Stream::fill>;
  t.event_create = slot<&Device::event_create>;
  t.event_destroy = destroy<Event>;
  t.event_record = slot<&Event::record>;
  t.event_query = slot<&Event::query>;
  t.event_wait = slot<&Event::wait>;
  t.event_error = slot<&Event::error>;
  return t;
}();

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer<Plugin>(query, reply);
}
