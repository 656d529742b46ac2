// faulty_plugin.h: a plugin inside the test that does one thing wrong when it is told to, behind checking tables.
//
// One device at a time does what `behaviour` says; a test sets it and a fixture resets it. Its memory is the host's; a
// memory handle is an address, so that a place out of bounds that got through would be seen by sanitizers.
#pragma once
#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

#include "host_table.h"
#include "validate/validate.h"

namespace tenon::test {

struct Behaviour {
  bool gives_nothing = false;     // calls that give a handle give none
  bool gives_too_little = false;  // memory that is smaller than asked for
  bool gives_askew = false;       // memory that is not aligned
  bool hides_memory = false;      // the host may not look into it
  bool is_asynchronous = false;   // by its own word; work is done at once all the same
  bool changes_rounding = false;  // in everything that gives, records, waits or launches
  bool grants_without_list = false;
  bool talks_too_much = false;              // a reason longer than there is room for
  std::int64_t overruns_bytes = 0;          // a launch writes so much behind its output; below zero: before it
  std::int64_t overruns_operand_bytes = 0;  // the same for its operand
  std::uint64_t room_bytes = std::numeric_limits<std::uint64_t>::max() / 2;  // for one piece of memory
  std::int32_t status = TENON_OK;                                            // what synchronize and launch answer
  std::function<void()> inside;                                              // called in synchronize and close
};
inline Behaviour behaviour;

namespace faulty {

inline std::atomic<int> alive = 0;  // what was given and not taken back

/// The addresses behind it.
struct Blocks {
  std::mutex mutex;
  std::set<void*> all;

  void* add(void* block) {
    const std::lock_guard held(mutex);
    if (block != nullptr) all.insert(block);
    return block;
  }
  void free(void* block) {
    const std::lock_guard held(mutex);
    all.erase(block);
    std::free(block);
  }
  void free_all() {
    const std::lock_guard held(mutex);
    for (void* block : std::exchange(all, {})) std::free(block);
  }
};
inline Blocks blocks;

inline void disturb() {
  if (behaviour.changes_rounding) std::fesetround(FE_UPWARD);
}

inline std::byte* address(tenon_ref ref) { return reinterpret_cast<std::byte*>(ref.memory + ref.offset_bytes); }

template <class Handle>
std::int32_t give(Handle** handle) {
  disturb();
  *handle = behaviour.gives_nothing ? nullptr : static_cast<Handle*>(blocks.add(std::malloc(1)));
  alive += *handle != nullptr ? 1 : 0;
  return TENON_OK;
}
template <class Handle>
std::int32_t take(Handle* handle) {
  alive -= 1;
  return blocks.free(handle), TENON_OK;
}

inline std::int32_t memory_alloc(tenon_device*, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t,
                                 tenon_memory* memory) {
  disturb();
  if (behaviour.gives_nothing) return TENON_OK;
  if (bytes > behaviour.room_bytes) {
    static_cast<const tenon_host*>(host::host_table(TENON_ABI))->set_error(TENON_ERROR_OUT_OF_MEMORY, "no room");
    return TENON_ERROR_OUT_OF_MEMORY;
  }
  alive += 1;
  auto* block = static_cast<std::byte*>(std::aligned_alloc(alignment, (bytes + 2 * alignment) / alignment * alignment));
  blocks.add(block);
  if (behaviour.gives_askew) block += 1;
  *memory = {sizeof *memory, 0, reinterpret_cast<std::uint64_t>(block), bytes - (behaviour.gives_too_little ? 1 : 0),
             behaviour.hides_memory ? nullptr : block};
  return TENON_OK;
}
inline std::int32_t memory_import(tenon_device* device, std::uint32_t, void*, std::uint64_t bytes,
                                  tenon_memory* memory) {
  return memory_alloc(device, bytes, 64, TENON_MEMORY_DEVICE, memory);
}
inline std::int32_t memory_free(tenon_device*, std::uint64_t memory) {
  alive -= 1;
  auto* const block = reinterpret_cast<std::byte*>(memory / 64 * 64);
  std::memset(block, 0xdd, 64);  // so that a look at it afterwards is seen
  blocks.free(block);
  return TENON_OK;
}
inline std::int32_t synchronize(tenon_stream*, std::uint64_t) {
  disturb();
  if (behaviour.inside) behaviour.inside();
  return behaviour.status;
}
inline std::int32_t close(tenon_device* device) {
  if (behaviour.inside) behaviour.inside();
  return take(device);
}
inline std::int32_t copy(tenon_stream*, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  return std::memmove(address(to), address(from), bytes), TENON_OK;
}
inline std::int32_t copy_in(tenon_stream*, tenon_ref to, const void* from, std::uint64_t bytes) {
  return std::memcpy(address(to), from, bytes), TENON_OK;
}
inline std::int32_t copy_out(tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) {
  return std::memcpy(to, address(from), bytes), TENON_OK;
}
inline std::int32_t fill(tenon_stream*, tenon_ref to, const void* pattern, std::uint32_t, std::uint64_t bytes) {
  return std::memset(address(to), *static_cast<const unsigned char*>(pattern), bytes), TENON_OK;
}

inline tenon_devices devices() {
  tenon_devices t{};
  t.size = sizeof t;
  t.enumerate = [](void*, tenon_device_sink*, void*) { return TENON_OK; };
  t.open = [](void*, std::uint32_t, std::uint64_t, const tenon_attr*, std::uint32_t, tenon_device** device) {
    return give(device);
  };
  t.close = close;
  t.memory_alloc = memory_alloc;
  t.memory_import = memory_import;
  t.memory_free = memory_free;
  t.memory_info = [](tenon_device*, std::uint64_t*, std::uint64_t*) { return TENON_OK; };
  t.memory_trim = [](tenon_device*) { return TENON_OK; };
  t.stream_create = [](tenon_device*, std::uint32_t, tenon_stream** stream) { return give(stream); };
  t.stream_destroy = [](tenon_stream* stream) { return take(stream); };
  t.stream_wait = [](tenon_stream*, tenon_event*) { return TENON_OK; };
  t.stream_synchronize = synchronize;
  t.stream_label = [](tenon_stream* stream, const char*) { return stream != nullptr ? TENON_OK : TENON_UNIMPLEMENTED; };
  t.copy = copy;
  t.copy_in = copy_in;
  t.copy_out = copy_out;
  t.fill = fill;
  t.event_create = [](tenon_device*, std::uint32_t, tenon_event** event) { return give(event); };
  t.event_destroy = [](tenon_event* event) { return take(event); };
  t.event_record = [](tenon_event*, tenon_stream*) { return disturb(), TENON_OK; };
  t.event_query = [](tenon_event*) { return disturb(), TENON_OK; };
  t.event_wait = [](tenon_event*, std::uint64_t) { return disturb(), TENON_OK; };
  t.event_error = [](tenon_event*, tenon_text* text) {
    text->length = text->capacity + (behaviour.talks_too_much ? 1 : 0);
    return TENON_OK;
  };
  t.event_elapsed_ns = [](tenon_event*, tenon_event*, std::uint64_t*) { return TENON_OK; };
  return t;
}

/// Writes behind the `bytes` at `place`, or before them.
inline void overrun(std::byte* place, std::size_t bytes, std::int64_t by) {
  if (by > 0) std::memset(place + bytes, 0x11, static_cast<std::size_t>(by));
  if (by < 0) std::memset(place + by, 0x11, static_cast<std::size_t>(-by));
}

/// neg of 4 f32.
inline std::int32_t launch(void*, const tenon_args* args, tenon_stream*) {
  std::array<float, 4> x{};
  std::memcpy(x.data(), address(args->tensors[0]), sizeof x);
  for (float& value : x) value = -value;
  std::byte* const out = address(args->tensors[1]);
  std::memcpy(out, x.data(), sizeof x);
  overrun(out, sizeof x, behaviour.overruns_bytes);
  overrun(address(args->tensors[0]), sizeof x, behaviour.overruns_operand_bytes);
  disturb();
  return behaviour.status;
}

inline std::int32_t prepare(const tenon_capsule*, tenon_device*, const tenon_signature* signature,
                            tenon_kernel* kernel) {
  disturb();
  kernel->kernel = nullptr;  // there is nothing to keep
  alive += 1;
  if (signature->alias_count > 0) {
    kernel->aliases = behaviour.grants_without_list ? nullptr : signature->aliases;
    kernel->alias_count = signature->alias_count;
  }
  return TENON_OK;
}

inline std::int32_t supports(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text* reason) {
  reason->length = behaviour.talks_too_much ? reason->capacity + 1 : 0;
  return TENON_OK;
}

inline tenon_capsule capsule() {
  tenon_capsule c{};
  c.size = sizeof c;
  c.name = "faulty.neg.f32";
  c.op = "neg";
  c.traits = behaviour.is_asynchronous ? TENON_TRAIT_ASYNC : 0u;
  c.supports = supports;
  c.prepare = prepare;
  c.launch = launch;
  c.release = [](void*) { alive -= 1; };
  return c;
}

/// What neg of 4 f32 looks like to a plugin.
struct NegSignature {
  std::int64_t shape[1] = {4}, strides[1] = {1};
  tenon_tensor tensor{}, operand{};
  const tenon_tensor* values[2] = {&operand, &tensor};
  std::uint32_t inputs[1] = {0}, outputs[1] = {1}, aliases[2] = {1, 0};
  tenon_signature signature{};

  explicit NegSignature(bool in_place, std::uint32_t operand_flags = 0) {
    tensor.size = sizeof tensor;
    tensor.dtype = {TENON_DTYPE_FLOAT, 32, 1};
    tensor.rank = 1;
    tensor.shape = shape;
    tensor.strides = strides;
    tensor.alignment_bytes = 64;
    operand = tensor;
    operand.flags = operand_flags;
    signature.size = sizeof signature;
    signature.value_count = 2;
    signature.values = values;
    signature.input_count = signature.output_count = 1;
    signature.inputs = inputs;
    signature.outputs = outputs;
    signature.aliases = aliases;
    signature.alias_count = in_place ? 1 : 0;
  }
  NegSignature(const NegSignature&) = delete;
};

}  // namespace faulty

/// The plugin's tables behind checking ones, with a device and a stream.
struct Checked {
  host::PluginTables tables;
  std::shared_ptr<host::ValidatedPlugin> plugin;
  tenon_device* device = nullptr;
  tenon_stream* stream = nullptr;

  Checked() {
    tables.plugin.id = "faulty";
    tables.devices = faulty::devices();
    tables.usable.push_back(&tables.capsules.emplace_back(faulty::capsule()));
    plugin = host::validate(tables);
    call().open(host::validated_self(*plugin, nullptr), 0, 0, nullptr, 0, &device);
    call().stream_create(device, 0, &stream);
  }
  Checked(const Checked&) = delete;

  const tenon_devices& call() const { return tables.devices; }
  const tenon_capsule& neg() const { return *tables.usable[0]; }

  tenon_memory memory(std::uint64_t bytes) const {
    tenon_memory given{};
    call().memory_alloc(device, bytes, 64, TENON_MEMORY_DEVICE, &given);
    return given;
  }
  void* kernel(bool in_place = false, std::uint32_t operand_flags = 0) const {
    const faulty::NegSignature signature(in_place, operand_flags);
    tenon_kernel given{};
    neg().prepare(&neg(), device, &signature.signature, &given);
    return given.kernel;
  }
  std::int32_t launch(void* kernel, tenon_ref operand, tenon_ref output) const {
    const tenon_ref tensors[] = {operand, output};
    tenon_args args{};
    args.tensors = tensors;
    return neg().launch(kernel, &args, stream);
  }
};

}  // namespace tenon::test
