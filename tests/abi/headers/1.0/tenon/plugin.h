/* plugin.h: the whole contract between Tenon and a device plugin. C11 and C++20, 64-bit, little-endian.
 *
 * A plugin is a shared object that exports one symbol, tenon_plugin_query. It links nothing of Tenon's: log, error
 * text, memory and threads arrive in the host table. This is ABI 1; its versions are listed below, and both sides
 * must carry the same fingerprint of the one they speak.
 *
 * Rules for every struct and function here (numbered and explained in docs/abi.md):
 *  - FROZEN structs never change and may stand in arrays. All others begin {size, flags}, are reached through pointers
 *    and grow at the end; the side that reads a struct looks no further than its size.
 *  - Strings are UTF-8, end in NUL and live while the plugin is loaded, unless said otherwise.
 *  - A status is TENON_OK, a positive status below, or a negative error; before an error is returned, its text goes
 *    through host->set_error. No C++ exception crosses, nothing allocated on one side is freed on the other.
 *  - What the host passes to a call lives during the call, unless said otherwise; so does a pattern given to fill().
 *  - The host works on its own copies of tables and capsules: a capsule's address means nothing, its name does.
 *  - A slot not marked optional is mandatory.
 *  - Threads: T any thread at any time; S one caller per stream; D one caller per device.
 */
#ifndef TENON_PLUGIN_H
#define TENON_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define TENON_INLINE constexpr
extern "C" {
#else
#define TENON_INLINE static inline
#endif

#define TENON_ABI_VERSION(major, minor) (((uint32_t)(major) << 16) | (uint32_t)(minor))
#define TENON_ABI TENON_ABI_VERSION(1, 0)        /* what this header describes */
#define TENON_ABI_OLDEST TENON_ABI_VERSION(1, 0) /* the first version of the list below */

/* Every version that can be spoken with this header, oldest first: X(major, minor, fingerprint of its layout, bytes of
 * its tenon_host). A line that was published never changes; a new version is a new line (docs/abi.md says how). */
#define TENON_ABI_VERSIONS(X) X(1, 0, UINT64_C(0x54454e4f4e310000), 80)

/* The fingerprint of a version of the list; 0 of any other. */
TENON_INLINE uint64_t tenon_abi_fingerprint(uint32_t abi) {
#define TENON_ABI_FINGERPRINT_OF(major, minor, fingerprint, host_bytes) \
  if (abi == TENON_ABI_VERSION(major, minor)) return fingerprint;
  TENON_ABI_VERSIONS(TENON_ABI_FINGERPRINT_OF)
#undef TENON_ABI_FINGERPRINT_OF
  return 0;
}

/* The size of tenon_host in a version of the list; 0 in any other. */
TENON_INLINE uint32_t tenon_abi_host_bytes(uint32_t abi) {
#define TENON_ABI_HOST_BYTES_OF(major, minor, fingerprint, host_bytes) \
  if (abi == TENON_ABI_VERSION(major, minor)) return host_bytes;
  TENON_ABI_VERSIONS(TENON_ABI_HOST_BYTES_OF)
#undef TENON_ABI_HOST_BYTES_OF
  return 0;
}

/* For a plugin that speaks one version only. */
#define TENON_ABI_FINGERPRINT tenon_abi_fingerprint(TENON_ABI)

#define TENON_QUERY_MAGIC UINT32_C(0x4e4f4e54)
#define TENON_REPLY_MAGIC UINT32_C(0x594c5052)

#define TENON_EXPORT __attribute__((visibility("default")))

/* -- status and reasons ------------------------------------------------------------------------------------------ */

#define TENON_OK 0
#define TENON_DECLINED 1      /* supports(): not this signature; the reason is in the text */
#define TENON_UNIMPLEMENTED 2 /* the slot exists, the function does not */
#define TENON_PENDING 3       /* event_query(): not yet; waits with a time limit: not in time */
#define TENON_ERROR (-1)      /* any failure; more precise ones follow */
#define TENON_ERROR_OUT_OF_MEMORY (-2)
#define TENON_ERROR_DEVICE_LOST (-3)
#define TENON_ERROR_INVALID_ARGUMENT (-4)
#define TENON_ERROR_UNKNOWN_OPTION (-5)

/* tenon_device_info.usable: 0 or one of these; the same numbers as in the core's table of reasons. */
#define TENON_REASON_NO_DEVICE 102
#define TENON_REASON_DRIVER_MISSING 103
#define TENON_REASON_DRIVER_TOO_OLD 104
#define TENON_REASON_NO_CODE_FOR_ARCH 105

/* -- values ------------------------------------------------------------------------------------------------------ */

typedef struct tenon_device tenon_device; /* the plugin's own, opaque to the host */
typedef struct tenon_stream tenon_stream;
typedef struct tenon_event tenon_event;
typedef struct tenon_graph tenon_graph;

/* DLPack's type codes. */
#define TENON_DTYPE_INT 0
#define TENON_DTYPE_UINT 1
#define TENON_DTYPE_FLOAT 2
#define TENON_DTYPE_BFLOAT 4
#define TENON_DTYPE_COMPLEX 5
#define TENON_DTYPE_BOOL 6

typedef struct tenon_dtype { /* FROZEN */
  uint8_t code, bits;
  uint16_t lanes; /* 1 */
} tenon_dtype;

#define TENON_VALUE_INT 1   /* i */
#define TENON_VALUE_FLOAT 2 /* f */
#define TENON_VALUE_DTYPE 3 /* d */
#define TENON_VALUE_TEXT 4  /* s, ends in NUL */
#define TENON_VALUE_INTS 5  /* is, count of them */
#define TENON_VALUE_FLOATS 6

typedef struct tenon_value { /* FROZEN */
  uint32_t type, count;      /* count: elements of is and fs, else 1 */
  union {
    int64_t i;
    double f;
    tenon_dtype d;
    const char* s;
    const int64_t* is;
    const double* fs;
    uint64_t raw;
  } as;
} tenon_value;

/* An attribute of an operation, or an option of a plugin. */
typedef struct tenon_attr { /* FROZEN */
  const char* name;
  tenon_value value;
} tenon_attr;

/* A place in device memory. memory is a handle of memory_alloc; 0 stands for a tensor without elements. */
typedef struct tenon_ref { /* FROZEN */
  uint64_t memory, offset_bytes;
} tenon_ref;

/* A value that may change at each launch: learning rate, step number, key of a random draw. */
typedef union tenon_scalar { /* FROZEN */
  int64_t i;
  uint64_t u;
  double f;
} tenon_scalar;

/* A text buffer that the host owns. A writer stores at most capacity bytes and sets length to what it stored. */
typedef struct tenon_text { /* FROZEN */
  char* data;
  uint64_t capacity, length;
} tenon_text;

/* -- host table: what a plugin may call, all T ------------------------------------------------------------------- */

#define TENON_LOG_TRACE 0
#define TENON_LOG_DEBUG 1
#define TENON_LOG_INFO 2
#define TENON_LOG_WARN 3
#define TENON_LOG_ERROR 4

typedef void tenon_parallel_fn(void* context, uint64_t begin, uint64_t end, uint32_t worker);

typedef struct tenon_host {
  uint32_t size, flags, abi, pad;
  void (*log)(uint32_t level, const char* plugin, const char* text);
  /* Copied into the calling thread's slot, where the host reads it after the failing call. */
  void (*set_error)(int32_t code, const char* text);
  void* (*alloc)(uint64_t bytes, uint64_t alignment); /* host memory; NULL when exhausted */
  void (*free)(void* memory);
  uint32_t (*worker_count)(void);
  /* Calls fn over [0, n) in ranges of at least grain, on up to worker_count() threads; returns when all are done. A
   * nested call runs on the calling thread. The floating-point environment of every worker is the host's. */
  int32_t (*parallel_for)(uint64_t n, uint64_t grain, tenon_parallel_fn* fn, void* context);
  void (*device_lost)(uint64_t device_cookie, int32_t code, const char* text);
  const void* (*extension)(const char* name, uint32_t version); /* NULL = absent */
} tenon_host;

/* -- devices ----------------------------------------------------------------------------------------------------- */

#define TENON_DEVICE_SOFTWARE 1u /* computes on the host's processor although it is not the portable CPU */
#define TENON_DEVICE_UNIFIED_MEMORY 2u
#define TENON_DEVICE_BINARY64 4u
#define TENON_DEVICE_TIMESTAMPS 8u
#define TENON_DEVICE_PEER 16u

#define TENON_CLASS_CPU 1
#define TENON_CLASS_GPU 2
#define TENON_CLASS_NPU 3
#define TENON_CLASS_OTHER 4

typedef struct tenon_device_info {
  uint32_t size, flags; /* TENON_DEVICE_ bits */
  uint32_t ordinal, device_class;
  const char *kind, *name, *driver, *architecture;
  uint8_t uuid[16];
  uint64_t memory_bytes, max_allocation_bytes, max_binding_bytes, max_elements; /* 0 = no limit of its own */
  uint32_t base_alignment_bytes, offset_alignment_bytes;                        /* powers of two */
  tenon_dtype native_float;                                                     /* what --dtype float is stored as */
  int32_t usable;                                                               /* 0, or a TENON_REASON_ number */
  const char* why_unusable;  /* the device's own words; NULL if usable */
  const char* memory_domain; /* "host", "cuda", ...: capsules of the same domain may serve this device */
} tenon_device_info;

typedef struct tenon_memory {
  uint32_t size, flags;
  uint64_t memory, bytes; /* handle, never 0 */
  void* host;             /* where the host may read and write it; NULL if it may not */
} tenon_memory;

#define TENON_MEMORY_DEVICE 1
#define TENON_MEMORY_PINNED 2
#define TENON_MEMORY_SHARED 3

struct tenon_launch;

typedef void tenon_device_sink(void* context, const tenon_device_info* info);

typedef struct tenon_devices {
  uint32_t size, flags;
  /* T. Calls sink once per device, unusable ones included; info lives during the call. */
  int32_t (*enumerate)(void* self, tenon_device_sink* sink, void* context);
  /* T. cookie names the device in host->device_lost. An option that is not known is TENON_ERROR_UNKNOWN_OPTION. */
  int32_t (*open)(void* self, uint32_t ordinal, uint64_t cookie, const tenon_attr* options, uint32_t option_count,
                  tenon_device** device);
  int32_t (*close)(tenon_device* device); /* D; everything made on it was destroyed before */
  int32_t (*memory_alloc)(tenon_device*, uint64_t bytes, uint64_t alignment, uint32_t kind,
                          tenon_memory* memory);          /* T */
  int32_t (*memory_free)(tenon_device*, uint64_t memory); /* T; called after the last use has completed */
  int32_t (*memory_import)(tenon_device*, uint32_t kind, void* object, uint64_t bytes,
                           tenon_memory* memory);                                         /* T, optional */
  int32_t (*memory_export)(tenon_device*, uint64_t memory, uint32_t kind, void** object); /* T, optional */
  int32_t (*memory_info)(tenon_device*, uint64_t* free_bytes, uint64_t* total_bytes);     /* T */
  int32_t (*memory_trim)(tenon_device*);                                                  /* T */
  int32_t (*stream_create)(tenon_device*, uint32_t flags, tenon_stream** stream);         /* T; work runs in order */
  int32_t (*stream_destroy)(tenon_stream*);                                               /* S */
  int32_t (*stream_native)(tenon_stream*, uint32_t* type, void** native);                 /* S, optional */
  int32_t (*stream_wait)(tenon_stream*, tenon_event*);                                    /* S */
  int32_t (*stream_synchronize)(tenon_stream*, uint64_t timeout_ns); /* S; returns the first asynchronous error */
  int32_t (*copy)(tenon_stream*, tenon_ref to, tenon_ref from, uint64_t bytes);      /* S */
  int32_t (*copy_in)(tenon_stream*, tenon_ref to, const void* from, uint64_t bytes); /* S; from lives until an event */
  int32_t (*copy_out)(tenon_stream*, void* to, tenon_ref from, uint64_t bytes);      /* S; to is written by an event */
  int32_t (*copy_peer)(tenon_stream*, tenon_device* to_device, tenon_ref to, tenon_device* from_device, tenon_ref from,
                       uint64_t bytes); /* S, optional */
  int32_t (*fill)(tenon_stream*, tenon_ref to, const void* pattern, uint32_t pattern_bytes, uint64_t bytes); /* S */
  int32_t (*event_create)(tenon_device*, uint32_t flags, tenon_event** event);                               /* T */
  int32_t (*event_destroy)(tenon_event*);                                                                    /* T */
  int32_t (*event_record)(tenon_event*, tenon_stream*);                                                      /* S */
  int32_t (*event_query)(tenon_event*);                     /* T; TENON_OK, TENON_PENDING or the work's error */
  int32_t (*event_wait)(tenon_event*, uint64_t timeout_ns); /* T */
  int32_t (*event_error)(tenon_event*, tenon_text* text);   /* T; launch id and words */
  int32_t (*event_elapsed_ns)(tenon_event* from, tenon_event* to, uint64_t* nanoseconds); /* T, optional */
  int32_t (*submit)(tenon_stream*, const struct tenon_launch* launches, uint32_t count);  /* S, optional */
  int32_t (*graph_begin)(tenon_stream*); /* S, optional with the next */
  int32_t (*graph_end)(tenon_stream*, tenon_graph** graph);
  int32_t (*graph_launch)(tenon_graph*, tenon_stream*);
  int32_t (*graph_destroy)(tenon_graph*);
} tenon_devices;

#define TENON_FOREVER UINT64_MAX /* a timeout without end */

/* -- what a kernel is asked for ---------------------------------------------------------------------------------- */

#define TENON_LAYOUT_DENSE 1u     /* row-major without gaps */
#define TENON_LAYOUT_ROWS 2u      /* the last axis without gaps, any stride before it */
#define TENON_LAYOUT_STRIDED 4u   /* any strides */
#define TENON_LAYOUT_BROADCAST 8u /* some strides are 0 */

#define TENON_TENSOR_MUTABLE 1u /* an input that the operation also writes: a parameter in an update */
#define TENON_TENSOR_HOST 2u

typedef struct tenon_tensor {
  uint32_t size, flags;
  tenon_dtype dtype;
  uint32_t rank;
  const int64_t *shape, *strides; /* in elements */
  uint32_t layout, alignment_bytes;
  const char* format; /* NULL = strided; else a packing of the plugin's own */
} tenon_tensor;

typedef struct tenon_node {
  uint32_t size, flags;
  const char* op;
  uint32_t op_version, attr_count;
  const tenon_attr* attrs; /* those that differ from the operation's defaults */
  uint32_t input_count, output_count, scalar_count, pad;
  const uint32_t *inputs, *outputs, *scalars; /* indices of values and scalars of the signature */
} tenon_node;

#define TENON_SIGNATURE_STRICT 1u
#define TENON_SIGNATURE_TRAINING 2u
#define TENON_SIGNATURE_WANT_CAPTURE 4u

typedef struct tenon_signature {
  uint32_t size, flags; /* TENON_SIGNATURE_ bits */
  uint32_t node_count, value_count, scalar_count, alias_count;
  const tenon_node* const* nodes; /* one in eager execution */
  const tenon_tensor* const* values;
  uint32_t input_count, output_count;
  const uint32_t *inputs, *outputs; /* external values, in the order of the arguments */
  const uint32_t* aliases; /* alias_count pairs of value indices, (output, input), that the core would like in place */
  uint64_t hash;
} tenon_signature;

#define TENON_KERNEL_CAPTURABLE 1u

/* What prepare() hands back. The plugin fills it; what it points to lives until release(). */
typedef struct tenon_kernel {
  uint32_t size, traits;
  void* kernel; /* given to launch() and release() */
  uint64_t workspace_bytes;
  uint32_t workspace_alignment_bytes, saved_count;
  const tenon_tensor* const* saved; /* reserved for values kept for X.vjp: saved_count is 0 (docs/abi.md) */
  const uint32_t* aliases;          /* alias_count pairs of the signature's aliases that are granted */
  uint32_t alias_count, pad;
  uint64_t flops, bytes_read, bytes_written; /* figures for --profile; 0 = unknown */
} tenon_kernel;

typedef struct tenon_args {    /* FROZEN */
  const tenon_ref* tensors;    /* inputs, outputs */
  const tenon_scalar* scalars; /* on the host, read before launch() returns */
  tenon_ref scalar_memory;     /* the same on the device, for kernels of trait DEVICE_SCALARS */
  tenon_ref workspace;
  const tenon_tensor* const* shapes; /* for kernels of trait SHAPE_FREE only */
  uint64_t launch_id;
  uint64_t reserved[2];
} tenon_args;

typedef struct tenon_launch { /* FROZEN */
  int32_t (*launch)(void* kernel, const tenon_args* args, tenon_stream* stream);
  void* kernel;
  const tenon_args* args;
} tenon_launch;

/* -- capsule: one kernel of one operation on one device, with its contract; constant data ------------------------- */

#define TENON_ROUNDING_NEAREST_EVEN 1
#define TENON_ROUNDING_DIRECTED 2
#define TENON_SUBNORMALS_GRADUAL 1
#define TENON_SUBNORMALS_FLUSH 2
#define TENON_CONTRACTION_SEPARATE 1
#define TENON_CONTRACTION_FUSED 2
#define TENON_REDUCTION_FIXED_LEFT 1
#define TENON_REDUCTION_FIXED_TREE 2
/* For each of the four policies: */
#define TENON_IMPLEMENTATION_DEFINED 14
#define TENON_NOT_APPLICABLE 15

#define TENON_NUMERICS_STRICT 1u
#define TENON_NUMERICS_DETERMINISTIC 2u

typedef struct tenon_numerics {
  uint32_t size, flags; /* TENON_NUMERICS_ bits */
  uint32_t rounding, subnormals, contraction, reduction;
  tenon_dtype compute, accumulate; /* lanes 0: the operands' own */
} tenon_numerics;

/* Claims, one per field of a contract. A capsule whose claim is 0 somewhere is never chosen. */
#define TENON_CLAIM_STATED 1      /* the table's rule for the operation holds */
#define TENON_CLAIM_NONE 2        /* the field does not apply (gradient of a source) */
#define TENON_EVIDENCE_TESTED 1   /* a test of the vendor's holds it */
#define TENON_EVIDENCE_DECLARED 2 /* it is only said */

#define TENON_CONTRACT_SHAPE 0
#define TENON_CONTRACT_LAYOUT 1
#define TENON_CONTRACT_VALUE 2
#define TENON_CONTRACT_VJP 3
#define TENON_CONTRACT_COUNT 4

typedef struct tenon_contract { /* FROZEN */
  uint32_t claim, evidence;
  const char *summary, *provenance;
} tenon_contract;

typedef struct tenon_dtypes { /* FROZEN: one accepted combination */
  uint32_t count, pad;
  const tenon_dtype* of; /* inputs, then outputs */
} tenon_dtypes;

#define TENON_TRAIT_ASYNC 1u     /* launch() may return before the work is done */
#define TENON_TRAIT_REENTRANT 2u /* one kernel may be launched on several streams at once */
#define TENON_TRAIT_CAPTURABLE 4u
#define TENON_TRAIT_SHAPE_FREE 8u /* one kernel serves every shape; shapes come with the arguments */
#define TENON_TRAIT_DEVICE_SCALARS 16u

#define TENON_TRUST_CHECKED 1
#define TENON_TRUST_EXTERNAL 2

#define TENON_GRADIENT_BY_OPERATIONS 1 /* serves forward; the core differentiates by the operation's rule */
#define TENON_GRADIENT_OWN 2           /* as before, and a capsule of operation X.vjp comes with it */
#define TENON_GRADIENT_NONE 3          /* evaluation only */

typedef struct tenon_capsule {
  uint32_t size, traits;
  const char *name, *op, *provider, *memory_domain; /* name: "cpu.reference.add.f32" */
  uint32_t op_version_min, op_version_max;
  int32_t priority;                  /* greater comes first */
  uint32_t trust, gradient, layouts; /* layouts: bits that inputs may have */
  uint32_t attribute_count, dtypes_count;
  const char* const* attributes; /* a non-default attribute that is not listed is declined by the host */
  const tenon_dtypes* dtypes;
  const tenon_numerics* numerics;
  const tenon_contract* contracts; /* TENON_CONTRACT_COUNT of them */
  /* T. device may be NULL: then answer for any device of the domain. TENON_OK, or TENON_DECLINED with a reason. */
  int32_t (*supports)(const struct tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text* reason);
  /* T. May be slow; may not launch. */
  int32_t (*prepare)(const struct tenon_capsule*, tenon_device*, const tenon_signature*, tenon_kernel* kernel);
  /* S. No allocation, no lock, no wait. */
  int32_t (*launch)(void* kernel, const tenon_args* args, tenon_stream* stream);
  void (*release)(void* kernel); /* T; after its last launch completed */
} tenon_capsule;

/* -- plugin ------------------------------------------------------------------------------------------------------ */

typedef struct tenon_plugin {
  uint32_t size, flags;
  const char *id, *vendor, *version, *build; /* id: "cpu"; vendor: "tenon" */
  const tenon_devices* devices;              /* NULL = brings kernels only */
  uint32_t capsule_count, pad;
  const tenon_capsule* const* capsules;
  /* Once, before anything else. An option that is not known is TENON_ERROR_UNKNOWN_OPTION. */
  int32_t (*initialize)(const tenon_attr* options, uint32_t option_count, void** self);
  int32_t (*quiesce)(void* self); /* finish all work; before shutdown and fork */
  void (*shutdown)(void* self);
  const void* (*extension)(void* self, const char* name, uint32_t version); /* NULL = absent */
} tenon_plugin;

/* -- bootstrap: the one exported symbol; these two structs never change ------------------------------------------ */

#define TENON_SANITIZER_ADDRESS 1u
#define TENON_SANITIZER_THREAD 2u
#define TENON_SANITIZER_MEMORY 4u

typedef struct tenon_query { /* FROZEN */
  uint32_t magic, size, abi_min, abi_max, sanitizer, pad;
  const void* (*host_table)(uint32_t abi); /* tenon_host of that version, or NULL; lives as long as the process */
  uint64_t reserved[4];
} tenon_query;

typedef struct tenon_reply {                              /* FROZEN */
  uint32_t magic, size, abi_min, abi_max, abi, sanitizer; /* abi: the chosen version; 0 with plugin NULL = none */
  uint64_t fingerprint;
  const tenon_plugin* plugin;
  char message[256];
  uint64_t reserved[4];
} tenon_reply;

/* Starts no thread, touches no device, prints nothing. The host fills the query and the reply's size; the plugin fills
 * the rest of the reply, or nothing if it cannot read them. Returns TENON_OK when a version was chosen. */
TENON_EXPORT int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TENON_PLUGIN_H */
