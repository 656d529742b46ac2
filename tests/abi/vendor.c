/* vendor.c: a vendor's plugin in plain C, by the header alone. One source, built against several versions of the header
 * (tests/abi/CMakeLists.txt): what a vendor would do who compiled it in one year and installs it in another.
 *
 * One device in host memory; matmul, add and relu in f32. Work is done when it is asked for.
 *   VENDOR_ID             the plugin's id and its device's kind
 *   VENDOR_ABI_MIN        the oldest version it is content with
 *   VENDOR_STREAM_LABEL   fills a slot of version 1.1
 *   VENDOR_NEXT_SLOT      fills the slot that the next version has at its end
 */
#include <stdlib.h>
#include <string.h>

#include "tenon/plugin.h"

#ifndef VENDOR_ABI_MIN
#define VENDOR_ABI_MIN TENON_ABI_OLDEST
#endif

static const tenon_host* host;

static int32_t failed(int32_t status, const char* words) {
  host->set_error(status, words);
  return status;
}

/* -- device ------------------------------------------------------------------------------------------------------- */

static char place; /* a device, a stream and an event are addresses that nobody follows */

static int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  (void)self;
  tenon_device_info info;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  info.flags = TENON_DEVICE_SOFTWARE;
  info.device_class = TENON_CLASS_OTHER;
  info.kind = VENDOR_ID;
  info.name = "the vendor's";
  info.driver = info.architecture = "";
  info.base_alignment_bytes = info.offset_alignment_bytes = 64;
  info.native_float.code = TENON_DTYPE_FLOAT;
  info.native_float.bits = 32;
  info.native_float.lanes = 1;
  info.memory_domain = "host";
  sink(context, &info);
  return TENON_OK;
}

static int32_t open_device(void* self, uint32_t ordinal, uint64_t cookie, const tenon_attr* options,
                           uint32_t option_count, tenon_device** device) {
  (void)self, (void)ordinal, (void)cookie, (void)options, (void)option_count;
  *device = (tenon_device*)&place;
  return TENON_OK;
}
static int32_t close_device(tenon_device* device) {
  (void)device;
  return TENON_OK;
}

static int32_t memory_alloc(tenon_device* device, uint64_t bytes, uint64_t alignment, uint32_t kind,
                            tenon_memory* memory) {
  (void)device, (void)kind;
  void* block = host->alloc(bytes, alignment);
  if (block == NULL) return failed(TENON_ERROR_OUT_OF_MEMORY, "no host memory is left");
  memory->memory = (uint64_t)(uintptr_t)block;
  memory->bytes = bytes;
  memory->host = block;
  return TENON_OK;
}
static int32_t memory_free(tenon_device* device, uint64_t memory) {
  (void)device;
  host->free((void*)(uintptr_t)memory);
  return TENON_OK;
}
static int32_t memory_info(tenon_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  (void)device;
  *free_bytes = *total_bytes = 0;
  return TENON_OK;
}
static int32_t memory_trim(tenon_device* device) {
  (void)device;
  return TENON_OK;
}

static int32_t stream_create(tenon_device* device, uint32_t flags, tenon_stream** stream) {
  (void)device, (void)flags;
  *stream = (tenon_stream*)&place;
  return TENON_OK;
}
static int32_t stream_destroy(tenon_stream* stream) {
  (void)stream;
  return TENON_OK;
}
static int32_t stream_wait(tenon_stream* stream, tenon_event* event) {
  (void)stream, (void)event;
  return TENON_OK;
}
static int32_t stream_synchronize(tenon_stream* stream, uint64_t timeout_ns) {
  (void)stream, (void)timeout_ns;
  return TENON_OK;
}

static void* at(tenon_ref ref) { return (char*)(uintptr_t)ref.memory + ref.offset_bytes; }

static int32_t copy(tenon_stream* stream, tenon_ref to, tenon_ref from, uint64_t bytes) {
  (void)stream;
  memmove(at(to), at(from), bytes);
  return TENON_OK;
}
static int32_t copy_in(tenon_stream* stream, tenon_ref to, const void* from, uint64_t bytes) {
  (void)stream;
  memcpy(at(to), from, bytes);
  return TENON_OK;
}
static int32_t copy_out(tenon_stream* stream, void* to, tenon_ref from, uint64_t bytes) {
  (void)stream;
  memcpy(to, at(from), bytes);
  return TENON_OK;
}
static int32_t fill(tenon_stream* stream, tenon_ref to, const void* pattern, uint32_t pattern_bytes, uint64_t bytes) {
  (void)stream;
  for (uint64_t i = 0; i < bytes; ++i) ((char*)at(to))[i] = ((const char*)pattern)[i % pattern_bytes];
  return TENON_OK;
}

static int32_t event_create(tenon_device* device, uint32_t flags, tenon_event** event) {
  (void)device, (void)flags;
  *event = (tenon_event*)&place;
  return TENON_OK;
}
static int32_t event_destroy(tenon_event* event) {
  (void)event;
  return TENON_OK;
}
static int32_t event_record(tenon_event* event, tenon_stream* stream) {
  (void)event, (void)stream;
  return TENON_OK;
}
static int32_t event_query(tenon_event* event) {
  (void)event;
  return TENON_OK;
}
static int32_t event_wait(tenon_event* event, uint64_t timeout_ns) {
  (void)event, (void)timeout_ns;
  return TENON_OK;
}
static int32_t event_error(tenon_event* event, tenon_text* text) {
  (void)event;
  text->length = 0;
  return TENON_OK;
}

#ifdef VENDOR_STREAM_LABEL
static int32_t stream_label(tenon_stream* stream, const char* text) {
  (void)stream, (void)text;
  return TENON_OK;
}
#endif
#ifdef VENDOR_NEXT_SLOT
/* A host that does not know the slot must not come here. */
static int32_t next_slot(tenon_stream* stream) {
  (void)stream;
  abort();
}
#endif

static const tenon_devices devices = {
    .size = sizeof(tenon_devices),
    .enumerate = enumerate,
    .open = open_device,
    .close = close_device,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .memory_info = memory_info,
    .memory_trim = memory_trim,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_wait = stream_wait,
    .stream_synchronize = stream_synchronize,
    .copy = copy,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .fill = fill,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_wait = event_wait,
    .event_error = event_error,
#ifdef VENDOR_STREAM_LABEL
    .stream_label = stream_label,
#endif
#ifdef VENDOR_NEXT_SLOT
    .next_slot = next_slot,
#endif
};

/* -- kernels ------------------------------------------------------------------------------------------------------ */

struct kernel {
  uint64_t rows, inner, columns; /* of elementwise operations: columns elements */
};

static void matmul(const struct kernel* k, const float* left, const float* right, float* out) {
  for (uint64_t i = 0; i < k->rows; ++i)
    for (uint64_t j = 0; j < k->columns; ++j) {
      float sum = 0;
      for (uint64_t n = 0; n < k->inner; ++n) sum += left[i * k->inner + n] * right[n * k->columns + j];
      out[i * k->columns + j] = sum;
    }
}

static int32_t launch_matmul(void* kernel, const tenon_args* args, tenon_stream* stream) {
  (void)stream;
  matmul(kernel, at(args->tensors[0]), at(args->tensors[1]), at(args->tensors[2]));
  return TENON_OK;
}

static int32_t launch_add(void* kernel, const tenon_args* args, tenon_stream* stream) {
  (void)stream;
  const float *left = at(args->tensors[0]), *right = at(args->tensors[1]);
  float* out = at(args->tensors[2]);
  for (uint64_t i = 0; i < ((struct kernel*)kernel)->columns; ++i) out[i] = left[i] + right[i];
  return TENON_OK;
}

static int32_t launch_relu(void* kernel, const tenon_args* args, tenon_stream* stream) {
  (void)stream;
  const float* x = at(args->tensors[0]);
  float* out = at(args->tensors[1]);
  for (uint64_t i = 0; i < ((struct kernel*)kernel)->columns; ++i) out[i] = x[i] > 0 ? x[i] : 0;
  return TENON_OK;
}

static const tenon_tensor* operand(const tenon_signature* signature, uint32_t i) {
  return signature->values[signature->inputs[i]];
}

static int is_matmul(const tenon_capsule* capsule) { return capsule->launch == launch_matmul; }

static int32_t supports(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                        tenon_text* reason) {
  static const char words[] = "matrices only";
  (void)device;
  if (!is_matmul(capsule) || (operand(signature, 0)->rank == 2 && operand(signature, 1)->rank == 2)) return TENON_OK;
  reason->length = reason->capacity < sizeof words - 1 ? reason->capacity : sizeof words - 1;
  memcpy(reason->data, words, reason->length);
  return TENON_DECLINED;
}

static int32_t prepare(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                       tenon_kernel* out) {
  (void)device;
  struct kernel* k = host->alloc(sizeof *k, sizeof(void*));
  if (k == NULL) return failed(TENON_ERROR_OUT_OF_MEMORY, "no host memory is left");
  const tenon_tensor *left = operand(signature, 0), *result = signature->values[signature->outputs[0]];
  k->rows = k->inner = k->columns = 1;
  for (uint32_t axis = 0; axis < result->rank; ++axis) k->columns *= (uint64_t)result->shape[axis];
  if (is_matmul(capsule)) {
    k->rows = (uint64_t)result->shape[0];
    k->inner = (uint64_t)left->shape[1];
    k->columns = (uint64_t)result->shape[1];
  }
  out->kernel = k;
  return TENON_OK;
}

static void release(void* kernel) { host->free(kernel); }

/* -- capsules ----------------------------------------------------------------------------------------------------- */

#define F32 \
  { TENON_DTYPE_FLOAT, 32, 1 }
static const tenon_dtype f32[] = {F32, F32, F32};
static const tenon_dtypes one_operand = {2, 0, f32}, two_operands = {3, 0, f32};

static const tenon_numerics numerics = {
    .size = sizeof(tenon_numerics),
    .flags = TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC,
    .rounding = TENON_ROUNDING_NEAREST_EVEN,
    .subnormals = TENON_SUBNORMALS_GRADUAL,
    .contraction = TENON_CONTRACTION_SEPARATE,
    .reduction = TENON_REDUCTION_FIXED_LEFT,
    .compute = F32,
    .accumulate = F32,
};

static const tenon_contract contracts[TENON_CONTRACT_COUNT] = {
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "the row's shape", "tests/abi"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "dense", "tests/abi"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "the row's value", "tests/abi"},
    {TENON_CLAIM_STATED, TENON_EVIDENCE_TESTED, "by the row's rule", "tests/abi"},
};

#define CAPSULE(operation, types)                    \
  static const tenon_capsule operation##_capsule = { \
      .size = sizeof(tenon_capsule),                 \
      .name = "vendor." #operation ".f32",           \
      .op = #operation,                              \
      .provider = "vendor",                          \
      .memory_domain = "host",                       \
      .op_version_min = 1,                           \
      .op_version_max = 1,                           \
      .trust = TENON_TRUST_EXTERNAL,                 \
      .gradient = TENON_GRADIENT_BY_OPERATIONS,      \
      .layouts = TENON_LAYOUT_DENSE,                 \
      .dtypes_count = 1,                             \
      .dtypes = &types,                              \
      .numerics = &numerics,                         \
      .contracts = contracts,                        \
      .supports = supports,                          \
      .prepare = prepare,                            \
      .launch = launch_##operation,                  \
      .release = release,                            \
  }
CAPSULE(matmul, two_operands);
CAPSULE(add, two_operands);
CAPSULE(relu, one_operand);

static const tenon_capsule* const capsules[] = {&matmul_capsule, &add_capsule, &relu_capsule};

/* -- plugin ------------------------------------------------------------------------------------------------------- */

static int32_t initialize(const tenon_attr* options, uint32_t option_count, void** self) {
  (void)options;
  *self = NULL;
  return option_count == 0 ? TENON_OK : failed(TENON_ERROR_UNKNOWN_OPTION, "the vendor has no options");
}
static int32_t quiesce(void* self) {
  (void)self;
  return TENON_OK;
}
static void shut_down(void* self) { (void)self; }

static const tenon_plugin plugin = {
    .size = sizeof(tenon_plugin),
    .id = VENDOR_ID,
    .vendor = "vendor",
    .version = "1.0",
    .build = "",
    .devices = &devices,
    .capsule_count = sizeof capsules / sizeof *capsules,
    .capsules = capsules,
    .initialize = initialize,
    .quiesce = quiesce,
    .shutdown = shut_down,
};

int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  if (query == NULL || query->magic != TENON_QUERY_MAGIC || query->size < sizeof *query) return TENON_ERROR;
  if (reply == NULL || reply->size < sizeof *reply) return TENON_ERROR;
  memset(reply, 0, sizeof *reply);
  reply->magic = TENON_REPLY_MAGIC;
  reply->size = sizeof *reply;
  reply->abi_min = VENDOR_ABI_MIN;
  reply->abi_max = TENON_ABI;
  if (query->abi_max < VENDOR_ABI_MIN || query->abi_min > TENON_ABI) return TENON_ERROR;
  reply->abi = query->abi_max < TENON_ABI ? query->abi_max : TENON_ABI;
  reply->fingerprint = tenon_abi_fingerprint(reply->abi);
  host = query->host_table(reply->abi);
  reply->plugin = &plugin;
  return host != NULL ? TENON_OK : TENON_ERROR;
}
