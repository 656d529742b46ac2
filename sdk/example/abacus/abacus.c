/* The plugin `abacus`: a device in plain C, against the SDK's C headers alone. It computes f32 on the host, in the
 * strict order of docs/numerics.md, and everything has happened when a call returns. It serves programs/small.tenon.
 * Tables are constant; a kernel is the host's from prepare() to release(). Threads: any, for everything here. */
#include <string.h>

#include "tenon/plugin.h"
#include "tenon/plugin/listed.h"
#include "tenon/plugin/sanitizer.h"

/* clang-format off */
#pragma GCC diagnostic ignored "-Wunused-parameter" /* a slot has the parameters that the header gives it */

static const tenon_host* host;
static int32_t fail(int32_t status, const char* words) { return host->set_error(status, words), status; }

/* -- the device: a handle of memory is its address, which the host may use, too ---------------------------------- */

static const uint64_t capacity = UINT64_C(1) << 30;
static char frame, wire, bead; /* device, stream and event: nothing is in them, only their addresses count */

static char* place(tenon_ref ref) { return (char*)(uintptr_t)(ref.memory + ref.offset_bytes); }

static int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  const tenon_device_info info = {
      .size = sizeof info, .flags = TENON_DEVICE_SOFTWARE, .device_class = TENON_CLASS_OTHER, .kind = "abacus",
      .name = "beads on wires", .driver = "", .architecture = "", .memory_bytes = capacity,
      .base_alignment_bytes = 64, .offset_alignment_bytes = 64, .native_float = {TENON_DTYPE_FLOAT, 32, 1},
      .memory_domain = "abacus"};
  return sink(context, &info), TENON_OK;
}
static int32_t open_device(void* self, uint32_t ordinal, uint64_t cookie, const tenon_attr* options, uint32_t count,
                           tenon_device** to) {
  if (ordinal != 0) return fail(TENON_ERROR_INVALID_ARGUMENT, "[abacus] the only device is abacus:0");
  if (count != 0) return fail(TENON_ERROR_UNKNOWN_OPTION, "[abacus] unknown option: there are none");
  return *to = (void*)&frame, TENON_OK;
}
static int32_t close_device(tenon_device* d) { return TENON_OK; }

static int32_t memory_alloc(tenon_device* d, uint64_t bytes, uint64_t alignment, uint32_t kind, tenon_memory* to) {
  void* block = bytes > capacity ? NULL : host->alloc(bytes == 0 ? 1 : bytes, alignment < 64 ? 64 : alignment);
  if (block == NULL) return fail(TENON_ERROR_OUT_OF_MEMORY, "[abacus] out of memory: there is 1 GiB");
  *to = (tenon_memory){sizeof *to, 0, (uintptr_t)block, bytes, block};
  return TENON_OK;
}
static int32_t memory_free(tenon_device* d, uint64_t memory) { return host->free((void*)(uintptr_t)memory), TENON_OK; }
static int32_t memory_info(tenon_device* d, uint64_t* idle, uint64_t* all) { return *idle = *all = capacity, TENON_OK; }
static int32_t memory_trim(tenon_device* d) { return TENON_OK; }

static int32_t stream_create(tenon_device* d, uint32_t f, tenon_stream** to) { return *to = (void*)&wire, TENON_OK; }
static int32_t stream_destroy(tenon_stream* s) { return TENON_OK; }
static int32_t stream_wait(tenon_stream* s, tenon_event* e) { return TENON_OK; }
static int32_t stream_synchronize(tenon_stream* s, uint64_t timeout_ns) { return TENON_OK; }

static int32_t move(void* to, const void* from, uint64_t bytes) {
  return bytes == 0 ? TENON_OK : (memmove(to, from, bytes), TENON_OK);
}
static int32_t copy(tenon_stream* s, tenon_ref to, tenon_ref at, uint64_t n) { return move(place(to), place(at), n); }
static int32_t copy_in(tenon_stream* s, tenon_ref to, const void* from, uint64_t n) { return move(place(to), from, n); }
static int32_t copy_out(tenon_stream* s, void* to, tenon_ref from, uint64_t n) { return move(to, place(from), n); }
static int32_t fill(tenon_stream* s, tenon_ref to, const void* pattern, uint32_t size, uint64_t bytes) {
  if (size == 0 || bytes % size != 0) return fail(TENON_ERROR_INVALID_ARGUMENT, "[abacus] fill: not whole patterns");
  for (uint64_t at = 0; at < bytes; at += size) memcpy(place(to) + at, pattern, size);
  return TENON_OK;
}

static int32_t event_create(tenon_device* d, uint32_t f, tenon_event** to) { return *to = (void*)&bead, TENON_OK; }
static int32_t event_destroy(tenon_event* e) { return TENON_OK; }
static int32_t event_record(tenon_event* e, tenon_stream* s) { return TENON_OK; }
static int32_t event_query(tenon_event* e) { return TENON_OK; }
static int32_t event_wait(tenon_event* e, uint64_t timeout_ns) { return TENON_OK; }
static int32_t event_error(tenon_event* e, tenon_text* words) { return words->length = 0, TENON_OK; }

static const tenon_devices devices = {
    .size = sizeof devices, .enumerate = enumerate, .open = open_device, .close = close_device,
    .memory_alloc = memory_alloc, .memory_free = memory_free, .memory_info = memory_info, .memory_trim = memory_trim,
    .stream_create = stream_create, .stream_destroy = stream_destroy, .stream_wait = stream_wait,
    .stream_synchronize = stream_synchronize, .copy = copy, .copy_in = copy_in, .copy_out = copy_out, .fill = fill,
    .event_create = event_create, .event_destroy = event_destroy, .event_record = event_record,
    .event_query = event_query, .event_wait = event_wait, .event_error = event_error};

/* -- kernels: prepared for shapes and attributes, launched with arguments ---------------------------------------- */

typedef struct kernel {
  uint32_t left, right, result; /* places among the arguments */
  uint64_t elements, depth, columns;
  float value;
} kernel;

static float* argument(const tenon_args* args, uint32_t i) { return (float*)place(args->tensors[i]); }

static int32_t launch_add(void* self, const tenon_args* args, tenon_stream* s) {
  const kernel* k = self;
  const float *left = argument(args, k->left), *right = argument(args, k->right);
  for (uint64_t i = 0; i < k->elements; ++i) argument(args, k->result)[i] = left[i] + right[i];
  return TENON_OK;
}
static int32_t launch_relu(void* self, const tenon_args* args, tenon_stream* s) {
  const kernel* k = self;
  const float* x = argument(args, k->left);
  for (uint64_t i = 0; i < k->elements; ++i) argument(args, k->result)[i] = x[i] <= 0 ? 0 : x[i]; /* NaN stays */
  return TENON_OK;
}
static int32_t launch_fill(void* self, const tenon_args* args, tenon_stream* s) {
  const kernel* k = self;
  for (uint64_t i = 0; i < k->elements; ++i) argument(args, k->result)[i] = k->value;
  return TENON_OK;
}
static int32_t launch_matmul(void* self, const tenon_args* args, tenon_stream* s) {
  const kernel* k = self;
  const float *left = argument(args, k->left), *right = argument(args, k->right);
  for (uint64_t i = 0; i < k->elements; ++i) {
    float sum = 0; /* from +0 over ascending d, every product rounded first */
    for (uint64_t d = 0; d < k->depth; ++d)
      sum += left[i / k->columns * k->depth + d] * right[d * k->columns + i % k->columns];
    argument(args, k->result)[i] = sum;
  }
  return TENON_OK;
}

static int32_t supports(const tenon_capsule* capsule, tenon_device* d, const tenon_signature* s, tenon_text* why) {
  const char* words = tenon_unlisted(capsule, s);
  if (words == NULL && capsule->launch == launch_matmul &&
      (tenon_node_value(s, 0)->rank != 2 || tenon_node_value(s, 1)->rank != 2))
    words = "multiplies single matrices, not batches";
  if (words == NULL) return TENON_OK;
  why->length = strlen(words) < why->capacity ? strlen(words) : why->capacity;
  return memcpy(why->data, words, why->length), TENON_DECLINED;
}

/* An operand may stand anywhere among the arguments, and one argument may be two operands. */
static uint32_t place_of(const tenon_signature* s, uint32_t i) {
  uint32_t at = 0;
  while (s->inputs[at] != s->nodes[0]->inputs[i]) ++at;
  return at;
}
static int32_t prepare(const tenon_capsule* capsule, tenon_device* d, const tenon_signature* s, tenon_kernel* out) {
  if (supports(capsule, d, s, &(tenon_text){(char[80]){0}, 80, 0}) != TENON_OK)
    return fail(TENON_ERROR_INVALID_ARGUMENT, "[abacus] asked to prepare what it does not serve");
  const tenon_node* node = s->nodes[0];
  const tenon_tensor* result = s->values[node->outputs[0]];
  kernel* k = host->alloc(sizeof *k, 64);
  if (k == NULL) return fail(TENON_ERROR_OUT_OF_MEMORY, "[abacus] out of host memory");
  *k = (kernel){.left = node->input_count > 0 ? place_of(s, 0) : 0, .right = node->input_count > 1 ? place_of(s, 1) : 0,
                .result = s->input_count, .elements = 1, .columns = 1};
  for (uint32_t axis = 0; axis < result->rank; ++axis) k->elements *= (uint64_t)result->shape[axis];
  if (capsule->launch == launch_matmul) k->depth = (uint64_t)tenon_node_value(s, 0)->shape[1];
  if (capsule->launch == launch_matmul) k->columns = (uint64_t)result->shape[1];
  for (uint32_t i = 0; i < node->attr_count; ++i) /* only those that differ from their defaults are given */
    if (strcmp(node->attrs[i].name, "value") == 0) k->value = (float)node->attrs[i].value.as.f;
  *out = (tenon_kernel){.size = sizeof *out, .kernel = k};
  return TENON_OK;
}
static void release(void* k) { host->free(k); }

/* -- capsules and the plugin ------------------------------------------------------------------------------------- */

#define F32 {TENON_DTYPE_FLOAT, 32, 1}
static const tenon_dtype f32[] = {F32, F32, F32};
static const tenon_dtypes types[] = {{1, 0, f32}, {2, 0, f32}, {3, 0, f32}}; /* none, one, two operands to a result */
static const tenon_numerics strict = {
    sizeof strict, TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC, TENON_ROUNDING_NEAREST_EVEN,
    TENON_SUBNORMALS_GRADUAL, TENON_CONTRACTION_SEPARATE, TENON_REDUCTION_FIXED_LEFT, F32, F32};
static const tenon_contract contracts[TENON_CONTRACT_COUNT] = {
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "the operation's shape rule", "tenon check"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "dense to dense", "tenon check"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "the bits of docs/numerics.md", "tenon check"},
    {TENON_CLAIM_NONE, TENON_EVIDENCE_DECLARED, "evaluation only", "declared"}};
#define CAPSULE(OP, OPERANDS, ATTRIBUTES, ATTRIBUTE_COUNT) { \
    .size = sizeof(tenon_capsule), .traits = TENON_TRAIT_REENTRANT, .name = "abacus." #OP ".f32", .op = #OP, \
    .provider = "abacus", .memory_domain = "abacus", .op_version_min = 1, .op_version_max = 1, \
    .trust = TENON_TRUST_EXTERNAL, .gradient = TENON_GRADIENT_NONE, .layouts = TENON_LAYOUT_DENSE, \
    .attribute_count = ATTRIBUTE_COUNT, .dtypes_count = 1, .attributes = ATTRIBUTES, .dtypes = &types[OPERANDS], \
    .numerics = &strict, .contracts = contracts, .supports = supports, .prepare = prepare, .launch = launch_##OP, \
    .release = release}
static const tenon_capsule add = CAPSULE(add, 2, NULL, 0), relu = CAPSULE(relu, 1, NULL, 0),
    matmul = CAPSULE(matmul, 2, NULL, 0), constant = CAPSULE(fill, 0, ((const char* const[]){"shape", "value"}), 2);
static const tenon_capsule* const capsules[] = {&add, &relu, &matmul, &constant};

static int32_t initialize(const tenon_attr* options, uint32_t count, void** self) {
  return count == 0 ? TENON_OK : fail(TENON_ERROR_UNKNOWN_OPTION, "[abacus] unknown option: there are none");
}
static int32_t quiesce(void* self) { return TENON_OK; }
static void shutdown(void* self) {}
static const tenon_plugin plugin = {
    .size = sizeof plugin, .id = "abacus", .vendor = "acme", .version = "1.0.0", .devices = &devices,
    .capsule_count = sizeof capsules / sizeof *capsules, .capsules = capsules, .initialize = initialize,
    .quiesce = quiesce, .shutdown = shutdown};

int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  if (query->magic != TENON_QUERY_MAGIC || query->size < sizeof *query || reply->size < sizeof *reply)
    return TENON_ERROR_INVALID_ARGUMENT;
  *reply = (tenon_reply){.magic = TENON_REPLY_MAGIC, .size = sizeof *reply, .abi_min = TENON_ABI, .abi_max = TENON_ABI,
                         .sanitizer = TENON_SANITIZERS, .fingerprint = TENON_ABI_FINGERPRINT};
  if (query->abi_min > TENON_ABI || query->abi_max < TENON_ABI) return TENON_ERROR; /* the host says so to its user */
  host = query->host_table(TENON_ABI);
  reply->abi = TENON_ABI;
  reply->plugin = &plugin;
  return TENON_OK;
}
