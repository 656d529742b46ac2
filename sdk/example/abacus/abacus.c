/* abacus.c: a whole Tenon plugin in C11: a device that adds, multiplies matrices and clips, in binary32, at once.
 *
 * Its memory is the host's own, and a handle is an address; a stream has nothing to do, since every call finishes its
 * work before it returns. Nothing but plugin.h is needed. Read it from the bottom: the entry point, the plugin, the
 * device, the kernels. */
#include <string.h>

#include "tenon/plugin.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* slots have the parameters that others need */
/* clang-format off: tables and one-line functions, packed */

static const tenon_host* host; /* from tenon_plugin_query on */

static int32_t fail(int32_t code, const char* words) {
  host->set_error(code, words);
  return code;
}

static int32_t decline(tenon_text* reason, const char* words) {
  const size_t length = strlen(words);
  reason->length = length < reason->capacity ? length : reason->capacity;
  memcpy(reason->data, words, reason->length);
  return TENON_DECLINED;
}

static void* at(tenon_ref place) { return (char*)(uintptr_t)place.memory + place.offset_bytes; }

/* -- kernels: prepared once for a signature, launched many times --------------------------------------------------- */

typedef struct { int64_t count, rows, depth, columns; } sizes;

static sizes sizes_of(const tenon_signature* signature) {
  const tenon_tensor* last = signature->values[signature->inputs[signature->input_count - 1]];
  const tenon_tensor* result = signature->values[signature->outputs[0]];
  sizes s = {1, 0, 0, 0};
  for (uint32_t i = 0; i < result->rank; ++i) s.count *= result->shape[i];
  if (result->rank == 2 && last->rank == 2) {
    s.rows = result->shape[0];
    s.columns = result->shape[1];
    s.depth = last->shape[0];
  }
  return s;
}

static int32_t add(void* kernel, const tenon_args* args, tenon_stream* stream) {
  const float *left = at(args->tensors[0]), *right = at(args->tensors[1]);
  float* result = at(args->tensors[2]);
  for (int64_t i = 0; i < ((sizes*)kernel)->count; ++i) result[i] = left[i] + right[i];
  return TENON_OK;
}

static int32_t relu(void* kernel, const tenon_args* args, tenon_stream* stream) {
  const float* x = at(args->tensors[0]);
  float* result = at(args->tensors[1]);
  for (int64_t i = 0; i < ((sizes*)kernel)->count; ++i) result[i] = x[i] <= 0 ? 0 : x[i];
  return TENON_OK;
}

/* Strict numerics give each element's sum one order, ascending, with every product rounded first. */
static int32_t matmul(void* kernel, const tenon_args* args, tenon_stream* stream) {
  const sizes* s = kernel;
  const float *left = at(args->tensors[0]), *right = at(args->tensors[1]);
  float* result = at(args->tensors[2]);
  for (int64_t i = 0; i < s->rows; ++i)
    for (int64_t j = 0; j < s->columns; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < s->depth; ++k) sum += left[i * s->depth + k] * right[k * s->columns + j];
      result[i * s->columns + j] = sum;
    }
  return TENON_OK;
}

/* Types, layouts and attributes are checked by the host against the capsule; what is left is a matter of shape. */
static int32_t supports(const tenon_capsule* c, tenon_device* d, const tenon_signature* s, tenon_text* reason) {
  if (s->node_count != 1) return decline(reason, "serves one operation at a time");
  if (strcmp(c->op, "matmul") == 0 && (s->values[s->inputs[0]]->rank != 2 || s->values[s->inputs[1]]->rank != 2))
    return decline(reason, "multiplies matrices of two axes only");
  return TENON_OK;
}

static int32_t prepare(const tenon_capsule* c, tenon_device* d, const tenon_signature* s, tenon_kernel* out) {
  sizes* kernel = host->alloc(sizeof *kernel, 8);
  if (kernel == NULL) return fail(TENON_ERROR_OUT_OF_MEMORY, "[abacus] no memory for a kernel");
  *kernel = sizes_of(s);
  out->kernel = kernel;
  return TENON_OK;
}

static void release(void* kernel) { host->free(kernel); }

static const tenon_dtype f32[] = {{2, 32, 1}, {2, 32, 1}, {2, 32, 1}};
static const tenon_dtypes unary = {2, 0, f32}, binary = {3, 0, f32};
static const tenon_numerics exact = {
    .size = sizeof exact, .flags = TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC,
    .rounding = TENON_ROUNDING_NEAREST_EVEN, .subnormals = TENON_SUBNORMALS_GRADUAL,
    .contraction = TENON_CONTRACTION_SEPARATE, .reduction = TENON_REDUCTION_FIXED_LEFT};
#define PROMISE(WORDS) {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, WORDS, "abacus.c"}
static const tenon_contract contracts[TENON_CONTRACT_COUNT] = {
    PROMISE("the operation's rule"), PROMISE("dense, row-major"), PROMISE("the operation's definition, bit for bit"),
    PROMISE("differentiated by the operation's rule")};

#define CAPSULE(OP, DTYPES) static const tenon_capsule OP##_capsule = {                                               \
    .size = sizeof OP##_capsule, .traits = TENON_TRAIT_REENTRANT, .name = "abacus." #OP ".f32", .op = #OP,            \
    .provider = "abacus", .memory_domain = "abacus", .op_version_min = 1, .op_version_max = 1,                        \
    .trust = TENON_TRUST_EXTERNAL, .gradient = TENON_GRADIENT_BY_OPERATIONS, .layouts = TENON_LAYOUT_DENSE,           \
    .dtypes_count = 1, .dtypes = &DTYPES, .numerics = &exact, .contracts = contracts,                                 \
    .supports = supports, .prepare = prepare, .launch = OP, .release = release}
CAPSULE(add, binary);
CAPSULE(relu, unary);
CAPSULE(matmul, binary);
static const tenon_capsule* const capsules[] = {&add_capsule, &relu_capsule, &matmul_capsule};

/* -- the device: there is one, and it is always there -------------------------------------------------------------- */

static char there; /* devices, streams and events have nothing to keep: each is this address */

static int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  const tenon_device_info info = {
      .size = sizeof info, .flags = TENON_DEVICE_SOFTWARE, .device_class = TENON_CLASS_OTHER, .kind = "abacus",
      .name = "ten rows of beads", .driver = "", .architecture = "host", .base_alignment_bytes = 64,
      .offset_alignment_bytes = 4, .native_float = {2, 32, 1}, .memory_domain = "abacus"};
  sink(context, &info);
  return TENON_OK;
}
static int32_t open(void* self, uint32_t n, uint64_t cookie, const tenon_attr* o, uint32_t count, tenon_device** out) {
  if (n != 0) return fail(TENON_ERROR_INVALID_ARGUMENT, "[abacus] there is one device, abacus:0");
  if (count != 0) return fail(TENON_ERROR_UNKNOWN_OPTION, "[abacus] the device has no options");
  *out = (tenon_device*)&there;
  return TENON_OK;
}
static int32_t close(tenon_device* d) { return TENON_OK; }

static int32_t memory_alloc(tenon_device* d, uint64_t bytes, uint64_t align, uint32_t kind, tenon_memory* out) {
  void* memory = host->alloc(bytes, align < 64 ? 64 : align);
  if (memory == NULL) return fail(TENON_ERROR_OUT_OF_MEMORY, "[abacus] the host has no memory left");
  *out = (tenon_memory){sizeof *out, 0, (uintptr_t)memory, bytes, memory};
  return TENON_OK;
}
static int32_t memory_free(tenon_device* d, uint64_t memory) { return host->free((void*)(uintptr_t)memory), 0; }
static int32_t memory_info(tenon_device* d, uint64_t* unused, uint64_t* total) { return *unused = *total = 0, 0; }
static int32_t memory_trim(tenon_device* d) { return TENON_OK; }

static int32_t stream_create(tenon_device* d, uint32_t f, tenon_stream** s) { return *s = (tenon_stream*)&there, 0; }
static int32_t stream_destroy(tenon_stream* s) { return TENON_OK; }
static int32_t stream_wait(tenon_stream* s, tenon_event* e) { return TENON_OK; }
static int32_t stream_synchronize(tenon_stream* s, uint64_t timeout) { return TENON_OK; }
static int32_t copy(tenon_stream* s, tenon_ref to, tenon_ref from, uint64_t bytes) {
  return memmove(at(to), at(from), bytes), TENON_OK;
}
static int32_t copy_in(tenon_stream* s, tenon_ref to, const void* from, uint64_t bytes) {
  return memcpy(at(to), from, bytes), TENON_OK;
}
static int32_t copy_out(tenon_stream* s, void* to, tenon_ref from, uint64_t bytes) {
  return memcpy(to, at(from), bytes), TENON_OK;
}
static int32_t fill(tenon_stream* s, tenon_ref to, const void* pattern, uint32_t size, uint64_t bytes) {
  for (uint64_t i = 0; i + size <= bytes; i += size) memcpy((char*)at(to) + i, pattern, size);
  return TENON_OK;
}
static int32_t event_create(tenon_device* d, uint32_t f, tenon_event** e) { return *e = (tenon_event*)&there, 0; }
static int32_t event_destroy(tenon_event* e) { return TENON_OK; }
static int32_t event_record(tenon_event* e, tenon_stream* s) { return TENON_OK; }
static int32_t event_query(tenon_event* e) { return TENON_OK; }
static int32_t event_wait(tenon_event* e, uint64_t timeout) { return TENON_OK; }
static int32_t event_error(tenon_event* e, tenon_text* text) { return text->length = 0, TENON_OK; }

static const tenon_devices devices = {
    .size = sizeof devices, .enumerate = enumerate, .open = open, .close = close, .memory_alloc = memory_alloc,
    .memory_free = memory_free, .memory_info = memory_info, .memory_trim = memory_trim,
    .stream_create = stream_create, .stream_destroy = stream_destroy, .stream_wait = stream_wait,
    .stream_synchronize = stream_synchronize, .copy = copy, .copy_in = copy_in, .copy_out = copy_out, .fill = fill,
    .event_create = event_create, .event_destroy = event_destroy, .event_record = event_record,
    .event_query = event_query, .event_wait = event_wait, .event_error = event_error};

/* -- the plugin and its one exported symbol ------------------------------------------------------------------------ */

static int32_t initialize(const tenon_attr* options, uint32_t count, void** self) {
  *self = NULL;
  return count == 0 ? TENON_OK : fail(TENON_ERROR_UNKNOWN_OPTION, "[abacus] unknown option: the plugin has none");
}
static int32_t quiesce(void* self) { return TENON_OK; }
static void shutdown(void* self) {}

static const tenon_plugin plugin = {
    .size = sizeof plugin, .id = "abacus", .vendor = "acme", .version = "1.0.0", .build = "C11", .devices = &devices,
    .capsule_count = 3, .capsules = capsules, .initialize = initialize, .quiesce = quiesce, .shutdown = shutdown};

int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  if (query == NULL || reply == NULL || query->magic != TENON_QUERY_MAGIC || query->size < sizeof *query ||
      reply->size < sizeof *reply) return TENON_ERROR_INVALID_ARGUMENT;
  *reply = (tenon_reply){.magic = TENON_REPLY_MAGIC, .size = sizeof *reply, .abi_min = TENON_ABI_OLDEST,
                         .abi_max = TENON_ABI, .sanitizer = TENON_SANITIZERS};
  if (query->abi_max < TENON_ABI_OLDEST || query->abi_min > TENON_ABI) return TENON_ERROR;
  reply->abi = query->abi_max < TENON_ABI ? query->abi_max : TENON_ABI;
  reply->fingerprint = tenon_abi_fingerprint(reply->abi);
  reply->plugin = &plugin;
  return (host = query->host_table(reply->abi)) != NULL ? TENON_OK : TENON_ERROR;
}
