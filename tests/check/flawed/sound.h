// sound.h: a small plugin that keeps every rule of plugin.h: a device in the host's memory, which computes at once, and
// two kernels. Each .cpp in this folder is a plugin that takes it and spoils one thing. Plain C++, without the SDK's
// helpers, which would not let it.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tenon/plugin.h"
#include "tenon/plugin/sanitizer.h"

#ifndef FLAWED_NAME
#error "tenon_flawed_plugin() gives the name"
#endif

namespace sound {

inline const tenon_host* host = nullptr;

inline std::int32_t refuse(std::int32_t status, const char* words) {
  host->set_error(status, words);
  return status;
}

// -- device -------------------------------------------------------------------------------------------------

struct Object {
  int unused;
};

template <class Handle>
std::int32_t make(Handle** handle) {
  auto* object = new (std::nothrow) Object{};
  if (object == nullptr) return refuse(TENON_ERROR_OUT_OF_MEMORY, "no host memory");
  *handle = reinterpret_cast<Handle*>(object);
  return TENON_OK;
}
template <class Handle>
std::int32_t end(Handle* handle) {
  delete reinterpret_cast<Object*>(handle);
  return TENON_OK;
}

inline char* address(tenon_ref ref) { return reinterpret_cast<char*>(ref.memory + ref.offset_bytes); }

inline tenon_device_info info() {
  tenon_device_info out{};
  out.size = sizeof out;
  out.flags = TENON_DEVICE_SOFTWARE | TENON_DEVICE_UNIFIED_MEMORY;
  out.device_class = TENON_CLASS_OTHER;
  out.kind = FLAWED_NAME;
  out.name = "a small device";
  out.driver = out.architecture = "";
  out.base_alignment_bytes = out.offset_alignment_bytes = 64;
  out.native_float = {TENON_DTYPE_FLOAT, 32, 1};
  out.memory_domain = FLAWED_NAME;
  return out;
}

inline std::int32_t enumerate(void*, tenon_device_sink* sink, void* context) {
  const tenon_device_info one = info();
  sink(context, &one);
  return TENON_OK;
}

inline std::int32_t open(void*, std::uint32_t ordinal, std::uint64_t, const tenon_attr*, std::uint32_t option_count,
                         tenon_device** device) {
  if (ordinal != 0) return refuse(TENON_ERROR, "there is one device only");
  if (option_count != 0) return refuse(TENON_ERROR_UNKNOWN_OPTION, "there are no options");
  return make(device);
}

inline std::int32_t memory_alloc(tenon_device*, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t,
                                 tenon_memory* memory) {
  void* block = bytes < (std::uint64_t{1} << 40) ? host->alloc(bytes, alignment) : nullptr;
  if (block == nullptr) return refuse(TENON_ERROR_OUT_OF_MEMORY, "no device memory");
  *memory = {sizeof *memory, 0, reinterpret_cast<std::uint64_t>(block), bytes, block};
  return TENON_OK;
}
inline std::int32_t memory_free(tenon_device*, std::uint64_t memory) {
  host->free(reinterpret_cast<void*>(memory));
  return TENON_OK;
}
inline std::int32_t memory_info(tenon_device*, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
  *free_bytes = 1, *total_bytes = 2;
  return TENON_OK;
}

inline std::int32_t move(void* to, const void* from, std::uint64_t bytes) {
  if (bytes != 0) std::memmove(to, from, bytes);
  return TENON_OK;
}
inline std::int32_t copy(tenon_stream*, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  return move(address(to), address(from), bytes);
}
inline std::int32_t copy_in(tenon_stream*, tenon_ref to, const void* from, std::uint64_t bytes) {
  return move(address(to), from, bytes);
}
inline std::int32_t copy_out(tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) {
  return move(to, address(from), bytes);
}
inline std::int32_t fill(tenon_stream*, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes,
                         std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) address(to)[i] = static_cast<const char*>(pattern)[i % pattern_bytes];
  return TENON_OK;
}

template <class... Arguments>
std::int32_t done(Arguments...) {
  return TENON_OK;
}
inline std::int32_t event_error(tenon_event*, tenon_text* text) {
  text->length = 0;
  return TENON_OK;
}

inline tenon_devices devices = [] {
  tenon_devices t{};
  t.size = sizeof t;
  t.enumerate = enumerate;
  t.open = open;
  t.close = end;
  t.memory_alloc = memory_alloc;
  t.memory_free = memory_free;
  t.memory_info = memory_info;
  t.memory_trim = done;
  t.stream_create = [](tenon_device*, std::uint32_t, tenon_stream** stream) { return make(stream); };
  t.stream_destroy = end;
  t.stream_wait = done;
  t.stream_synchronize = done;
  t.copy = copy;
  t.copy_in = copy_in;
  t.copy_out = copy_out;
  t.fill = fill;
  t.event_create = [](tenon_device*, std::uint32_t, tenon_event** event) { return make(event); };
  t.event_destroy = end;
  t.event_record = done;
  t.event_query = done;
  t.event_wait = done;
  t.event_error = event_error;
  return t;
}();

// -- kernels ------------------------------------------------------------------------------------------------

inline std::int32_t decline(tenon_text* reason, const char* words) {
  reason->length = std::strlen(words) < reason->capacity ? std::strlen(words) : reason->capacity;
  std::memcpy(reason->data, words, reason->length);
  return TENON_DECLINED;
}

inline bool is_f32(tenon_dtype t) { return t.code == TENON_DTYPE_FLOAT && t.bits == 32 && t.lanes == 1; }

inline bool knows(const tenon_capsule& capsule, const char* attribute) {
  for (std::uint32_t i = 0; i < capsule.attribute_count; ++i)
    if (std::strcmp(capsule.attributes[i], attribute) == 0) return true;
  return false;
}

inline std::int32_t supports(const tenon_capsule* capsule, tenon_device*, const tenon_signature* s,
                             tenon_text* reason) {
  const tenon_node& node = *s->nodes[0];
  if (node.input_count + 1 != capsule->dtypes[0].count || node.output_count != 1)
    return decline(reason, "as many operands as it lists, and one result");
  for (std::uint32_t i = 0; i < s->value_count; ++i) {
    if (!is_f32(s->values[i]->dtype)) return decline(reason, "f32 only");
    if (s->values[i]->layout != TENON_LAYOUT_DENSE) return decline(reason, "dense only");
    if (s->values[i]->format != nullptr) return decline(reason, "no packed formats");
  }
  for (std::uint32_t i = 0; i < node.attr_count; ++i)
    if (!knows(*capsule, node.attrs[i].name)) return decline(reason, "an unknown attribute");
  return TENON_OK;
}

struct Kernel {
  std::uint64_t elements = 1;
  std::uint32_t aliases[2] = {};
  int launches = 0;
  std::atomic<tenon_stream*> owner{nullptr};
};

/// A signature whose one node and values may be changed.
struct Copy {
  explicit Copy(const tenon_signature& from) : signature(from), node(*from.nodes[0]) {
    for (std::uint32_t i = 0; i < from.value_count && i < 2; ++i) values[i] = *from.values[i];
    signature.nodes = nodes;
    signature.values = pointers;
  }
  Copy(const Copy&) = delete;
  tenon_signature signature;
  tenon_node node;
  tenon_tensor values[2] = {};
  const tenon_tensor* pointers[2] = {&values[0], &values[1]};
  const tenon_node* nodes[1] = {&node};
};

inline std::int32_t prepare(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                            tenon_kernel* out) {
  char words[64];
  tenon_text reason{words, sizeof words, 0};
  if (supports(capsule, device, s, &reason) != TENON_OK) return refuse(TENON_ERROR, "not served");
  auto* kernel = new (std::nothrow) Kernel;
  if (kernel == nullptr) return refuse(TENON_ERROR_OUT_OF_MEMORY, "no host memory");
  const tenon_tensor& result = *s->values[s->outputs[0]];
  for (std::uint32_t axis = 0; axis < result.rank; ++axis)
    kernel->elements *= static_cast<std::uint64_t>(result.shape[axis]);
  *out = {};
  out->size = sizeof *out;
  out->kernel = kernel;
  if (s->alias_count != 0) {
    std::memcpy(kernel->aliases, s->aliases, sizeof kernel->aliases);
    out->aliases = kernel->aliases;
    out->alias_count = 1;
  }
  return TENON_OK;
}

inline const float* operand(const tenon_args* args) {
  return reinterpret_cast<const float*>(address(args->tensors[0]));
}
inline float* result(const tenon_args* args) { return reinterpret_cast<float*>(address(args->tensors[1])); }

inline std::int32_t negate(void* kernel, const tenon_args* args, tenon_stream*) {
  for (std::uint64_t i = 0; i < static_cast<Kernel*>(kernel)->elements; ++i) result(args)[i] = -operand(args)[i];
  return TENON_OK;
}
inline std::int32_t reshape(void* kernel, const tenon_args* args, tenon_stream*) {
  return move(result(args), operand(args), 4 * static_cast<Kernel*>(kernel)->elements);
}

inline const tenon_dtype f32[] = {{TENON_DTYPE_FLOAT, 32, 1}, {TENON_DTYPE_FLOAT, 32, 1}};
inline const tenon_dtypes combinations[] = {{2, 0, f32}};
inline const char* const attributes[] = {"shape"};
inline tenon_contract contracts[TENON_CONTRACT_COUNT] = {
    {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "the rule's", "the vendor's word"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "dense", "the vendor's word"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "the row's", "the vendor's word"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "by operations", "the vendor's word"}};
inline tenon_numerics numerics = {sizeof(tenon_numerics),
                                  TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC,
                                  TENON_ROUNDING_NEAREST_EVEN,
                                  TENON_SUBNORMALS_GRADUAL,
                                  TENON_CONTRACTION_SEPARATE,
                                  TENON_NOT_APPLICABLE,
                                  {},
                                  {}};

inline tenon_capsule capsule(const char* name, const char* op) {
  tenon_capsule c{};
  c.size = sizeof c;
  c.traits = TENON_TRAIT_REENTRANT;
  c.name = name;
  c.op = op;
  c.provider = "flawed";
  c.memory_domain = FLAWED_NAME;
  c.op_version_min = c.op_version_max = 1;
  c.trust = TENON_TRUST_EXTERNAL;
  c.gradient = TENON_GRADIENT_BY_OPERATIONS;
  c.layouts = TENON_LAYOUT_DENSE;
  c.attribute_count = 1;
  c.attributes = attributes;
  c.dtypes_count = 1;
  c.dtypes = combinations;
  c.numerics = &numerics;
  c.contracts = contracts;
  c.supports = supports;
  c.prepare = prepare;
  c.release = [](void* kernel) { delete static_cast<Kernel*>(kernel); };
  return c;
}

inline tenon_capsule neg = [] {
  tenon_capsule c = capsule("flawed.neg.f32", "neg");
  c.launch = negate;
  return c;
}();
inline tenon_capsule reshaper = [] {
  tenon_capsule c = capsule("flawed.reshape.f32", "reshape");
  c.launch = reshape;
  return c;
}();
inline const tenon_capsule* const capsules[] = {&neg, &reshaper};

// -- plugin -------------------------------------------------------------------------------------------------

inline std::int32_t initialize(const tenon_attr*, std::uint32_t option_count, void** self) {
  *self = nullptr;
  return option_count == 0 ? TENON_OK : refuse(TENON_ERROR_UNKNOWN_OPTION, "there are no options");
}

inline tenon_plugin plugin = [] {
  tenon_plugin t{};
  t.size = sizeof t;
  t.id = FLAWED_NAME;
  t.vendor = "flawed";
  t.version = "1.0";
  t.build = "";
  t.devices = &devices;
  t.capsule_count = 2;
  t.capsules = capsules;
  t.initialize = initialize;
  t.quiesce = done;
  t.shutdown = [](void*) {};
  t.extension = [](void*, const char*, std::uint32_t) -> const void* { return nullptr; };
  return t;
}();

/// The answer to a query.
inline std::int32_t answer(const tenon_query* query, tenon_reply* reply) {
  if (query->magic != TENON_QUERY_MAGIC || query->size < sizeof *query || reply->size < sizeof *reply)
    return TENON_ERROR;
  reply->magic = TENON_REPLY_MAGIC;
  reply->abi_min = reply->abi_max = TENON_ABI;
  reply->sanitizer = tenon::plugin::sanitizers;
  reply->fingerprint = TENON_ABI_FINGERPRINT;
  if (query->abi_min > TENON_ABI || query->abi_max < TENON_ABI) return TENON_ERROR;
  host = static_cast<const tenon_host*>(query->host_table(TENON_ABI));
  reply->abi = TENON_ABI;
  reply->plugin = &plugin;
  return TENON_OK;
}

}  // namespace sound

/// For a plugin that only changes tables.
#define FLAWED_PLUGIN(...)                                                        \
  std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) { \
    static const bool is_spoiled = [] {                                           \
      __VA_ARGS__;                                                                \
      return true;                                                                \
    }();                                                                          \
    return is_spoiled ? sound::answer(query, reply) : TENON_ERROR;                \
  }
