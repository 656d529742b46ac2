/* layout.c: prints where every field of plugin.h stands, as one line each: struct.field offset size.
 *
 *   layout              prints
 *   layout FILE         compares with a recorded layout; names the first line that differs and fails
 *
 * Fields must follow one another without a gap: padding that is not written down would be bytes that nobody zeroes, and
 * a field that is missing below would be noticed. TENON_LAYOUT_MINOR is the version of the header that it is built
 * against; docs/abi.md says how a version is added.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tenon/plugin.h"

#ifndef TENON_LAYOUT_MINOR
#define TENON_LAYOUT_MINOR 1
#endif

_Static_assert(sizeof(void*) == 8, "the ABI is for 64-bit platforms");
_Static_assert(sizeof(void (*)(void)) == 8, "function pointers are 64-bit");
_Static_assert(sizeof(tenon_dtype) == 4, "as DLPack's");
_Static_assert(sizeof(tenon_value) == 16 && sizeof(tenon_attr) == 24, "frozen");
_Static_assert(sizeof(tenon_ref) == 16 && sizeof(tenon_scalar) == 8, "frozen");
_Static_assert(sizeof(tenon_query) == 64 && sizeof(tenon_reply) == 328, "frozen for ever");

static FILE* recorded;
static int failures;
static size_t end_of_field;

static void line(const char* format, ...) {
  char actual[256], expected[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(actual, sizeof actual, format, arguments);
  va_end(arguments);
  if (recorded == NULL) {
    fputs(actual, stdout);
    return;
  }
  if (fgets(expected, sizeof expected, recorded) == NULL) strcpy(expected, "nothing\n");
  if (strcmp(actual, expected) != 0 && failures++ == 0) fprintf(stderr, "now      %srecorded %s", actual, expected);
}

static void field(const char* of, const char* name, size_t offset, size_t size) {
  if (offset != end_of_field) {
    fprintf(stderr, "%s: %zu bytes before %s are not accounted for\n", of, offset - end_of_field, name);
    ++failures;
  }
  end_of_field = offset + size;
  line("%s.%s %zu %zu\n", of, name, offset, size);
}

static void end(const char* of, size_t size) {
  if (size != end_of_field) {
    fprintf(stderr, "%s: %zu bytes at its end are not accounted for\n", of, size - end_of_field);
    ++failures;
  }
  end_of_field = 0;
  line("%s %zu\n", of, size);
}

#define FIELD(type, name) field(#type, #name, offsetof(type, name), sizeof(((type*)0)->name))
#define END(type) end(#type, sizeof(type))

static void all_structs(void) {
  FIELD(tenon_dtype, code);
  FIELD(tenon_dtype, bits);
  FIELD(tenon_dtype, lanes);
  END(tenon_dtype);

  FIELD(tenon_value, type);
  FIELD(tenon_value, count);
  FIELD(tenon_value, as);
  END(tenon_value);

  FIELD(tenon_attr, name);
  FIELD(tenon_attr, value);
  END(tenon_attr);

  FIELD(tenon_ref, memory);
  FIELD(tenon_ref, offset_bytes);
  END(tenon_ref);

  line("tenon_scalar %zu\n", sizeof(tenon_scalar));

  FIELD(tenon_text, data);
  FIELD(tenon_text, capacity);
  FIELD(tenon_text, length);
  END(tenon_text);

  FIELD(tenon_host, size);
  FIELD(tenon_host, flags);
  FIELD(tenon_host, abi);
  FIELD(tenon_host, pad);
  FIELD(tenon_host, log);
  FIELD(tenon_host, set_error);
  FIELD(tenon_host, alloc);
  FIELD(tenon_host, free);
  FIELD(tenon_host, worker_count);
  FIELD(tenon_host, parallel_for);
  FIELD(tenon_host, device_lost);
  FIELD(tenon_host, extension);
  END(tenon_host);

  FIELD(tenon_device_info, size);
  FIELD(tenon_device_info, flags);
  FIELD(tenon_device_info, ordinal);
  FIELD(tenon_device_info, device_class);
  FIELD(tenon_device_info, kind);
  FIELD(tenon_device_info, name);
  FIELD(tenon_device_info, driver);
  FIELD(tenon_device_info, architecture);
  FIELD(tenon_device_info, uuid);
  FIELD(tenon_device_info, memory_bytes);
  FIELD(tenon_device_info, max_allocation_bytes);
  FIELD(tenon_device_info, max_binding_bytes);
  FIELD(tenon_device_info, max_elements);
  FIELD(tenon_device_info, base_alignment_bytes);
  FIELD(tenon_device_info, offset_alignment_bytes);
  FIELD(tenon_device_info, native_float);
  FIELD(tenon_device_info, usable);
  FIELD(tenon_device_info, why_unusable);
  FIELD(tenon_device_info, memory_domain);
  END(tenon_device_info);

  FIELD(tenon_memory, size);
  FIELD(tenon_memory, flags);
  FIELD(tenon_memory, memory);
  FIELD(tenon_memory, bytes);
  FIELD(tenon_memory, host);
  END(tenon_memory);

  FIELD(tenon_devices, size);
  FIELD(tenon_devices, flags);
  FIELD(tenon_devices, enumerate);
  FIELD(tenon_devices, open);
  FIELD(tenon_devices, close);
  FIELD(tenon_devices, memory_alloc);
  FIELD(tenon_devices, memory_free);
  FIELD(tenon_devices, memory_import);
  FIELD(tenon_devices, memory_export);
  FIELD(tenon_devices, memory_info);
  FIELD(tenon_devices, memory_trim);
  FIELD(tenon_devices, stream_create);
  FIELD(tenon_devices, stream_destroy);
  FIELD(tenon_devices, stream_native);
  FIELD(tenon_devices, stream_wait);
  FIELD(tenon_devices, stream_synchronize);
  FIELD(tenon_devices, copy);
  FIELD(tenon_devices, copy_in);
  FIELD(tenon_devices, copy_out);
  FIELD(tenon_devices, copy_peer);
  FIELD(tenon_devices, fill);
  FIELD(tenon_devices, event_create);
  FIELD(tenon_devices, event_destroy);
  FIELD(tenon_devices, event_record);
  FIELD(tenon_devices, event_query);
  FIELD(tenon_devices, event_wait);
  FIELD(tenon_devices, event_error);
  FIELD(tenon_devices, event_elapsed_ns);
  FIELD(tenon_devices, submit);
  FIELD(tenon_devices, graph_begin);
  FIELD(tenon_devices, graph_end);
  FIELD(tenon_devices, graph_launch);
  FIELD(tenon_devices, graph_destroy);
#if TENON_LAYOUT_MINOR >= 1
  FIELD(tenon_devices, stream_label);
#endif
  END(tenon_devices);

  FIELD(tenon_tensor, size);
  FIELD(tenon_tensor, flags);
  FIELD(tenon_tensor, dtype);
  FIELD(tenon_tensor, rank);
  FIELD(tenon_tensor, shape);
  FIELD(tenon_tensor, strides);
  FIELD(tenon_tensor, layout);
  FIELD(tenon_tensor, alignment_bytes);
  FIELD(tenon_tensor, format);
  END(tenon_tensor);

  FIELD(tenon_node, size);
  FIELD(tenon_node, flags);
  FIELD(tenon_node, op);
  FIELD(tenon_node, op_version);
  FIELD(tenon_node, attr_count);
  FIELD(tenon_node, attrs);
  FIELD(tenon_node, input_count);
  FIELD(tenon_node, output_count);
  FIELD(tenon_node, scalar_count);
  FIELD(tenon_node, pad);
  FIELD(tenon_node, inputs);
  FIELD(tenon_node, outputs);
  FIELD(tenon_node, scalars);
  END(tenon_node);

  FIELD(tenon_signature, size);
  FIELD(tenon_signature, flags);
  FIELD(tenon_signature, node_count);
  FIELD(tenon_signature, value_count);
  FIELD(tenon_signature, scalar_count);
  FIELD(tenon_signature, alias_count);
  FIELD(tenon_signature, nodes);
  FIELD(tenon_signature, values);
  FIELD(tenon_signature, input_count);
  FIELD(tenon_signature, output_count);
  FIELD(tenon_signature, inputs);
  FIELD(tenon_signature, outputs);
  FIELD(tenon_signature, aliases);
  FIELD(tenon_signature, hash);
  END(tenon_signature);

  FIELD(tenon_kernel, size);
  FIELD(tenon_kernel, traits);
  FIELD(tenon_kernel, kernel);
  FIELD(tenon_kernel, workspace_bytes);
  FIELD(tenon_kernel, workspace_alignment_bytes);
  FIELD(tenon_kernel, saved_count);
  FIELD(tenon_kernel, saved);
  FIELD(tenon_kernel, aliases);
  FIELD(tenon_kernel, alias_count);
  FIELD(tenon_kernel, pad);
  FIELD(tenon_kernel, flops);
  FIELD(tenon_kernel, bytes_read);
  FIELD(tenon_kernel, bytes_written);
  END(tenon_kernel);

  FIELD(tenon_args, tensors);
  FIELD(tenon_args, scalars);
  FIELD(tenon_args, scalar_memory);
  FIELD(tenon_args, workspace);
  FIELD(tenon_args, shapes);
  FIELD(tenon_args, launch_id);
  FIELD(tenon_args, reserved);
  END(tenon_args);

  FIELD(tenon_launch, launch);
  FIELD(tenon_launch, kernel);
  FIELD(tenon_launch, args);
  END(tenon_launch);

  FIELD(tenon_numerics, size);
  FIELD(tenon_numerics, flags);
  FIELD(tenon_numerics, rounding);
  FIELD(tenon_numerics, subnormals);
  FIELD(tenon_numerics, contraction);
  FIELD(tenon_numerics, reduction);
  FIELD(tenon_numerics, compute);
  FIELD(tenon_numerics, accumulate);
  END(tenon_numerics);

  FIELD(tenon_contract, claim);
  FIELD(tenon_contract, evidence);
  FIELD(tenon_contract, summary);
  FIELD(tenon_contract, provenance);
  END(tenon_contract);

  FIELD(tenon_dtypes, count);
  FIELD(tenon_dtypes, pad);
  FIELD(tenon_dtypes, of);
  END(tenon_dtypes);

  FIELD(tenon_capsule, size);
  FIELD(tenon_capsule, traits);
  FIELD(tenon_capsule, name);
  FIELD(tenon_capsule, op);
  FIELD(tenon_capsule, provider);
  FIELD(tenon_capsule, memory_domain);
  FIELD(tenon_capsule, op_version_min);
  FIELD(tenon_capsule, op_version_max);
  FIELD(tenon_capsule, priority);
  FIELD(tenon_capsule, trust);
  FIELD(tenon_capsule, gradient);
  FIELD(tenon_capsule, layouts);
  FIELD(tenon_capsule, attribute_count);
  FIELD(tenon_capsule, dtypes_count);
  FIELD(tenon_capsule, attributes);
  FIELD(tenon_capsule, dtypes);
  FIELD(tenon_capsule, numerics);
  FIELD(tenon_capsule, contracts);
  FIELD(tenon_capsule, supports);
  FIELD(tenon_capsule, prepare);
  FIELD(tenon_capsule, launch);
  FIELD(tenon_capsule, release);
  END(tenon_capsule);

  FIELD(tenon_plugin, size);
  FIELD(tenon_plugin, flags);
  FIELD(tenon_plugin, id);
  FIELD(tenon_plugin, vendor);
  FIELD(tenon_plugin, version);
  FIELD(tenon_plugin, build);
  FIELD(tenon_plugin, devices);
  FIELD(tenon_plugin, capsule_count);
  FIELD(tenon_plugin, pad);
  FIELD(tenon_plugin, capsules);
  FIELD(tenon_plugin, initialize);
  FIELD(tenon_plugin, quiesce);
  FIELD(tenon_plugin, shutdown);
  FIELD(tenon_plugin, extension);
  END(tenon_plugin);

  FIELD(tenon_query, magic);
  FIELD(tenon_query, size);
  FIELD(tenon_query, abi_min);
  FIELD(tenon_query, abi_max);
  FIELD(tenon_query, sanitizer);
  FIELD(tenon_query, pad);
  FIELD(tenon_query, host_table);
  FIELD(tenon_query, reserved);
  END(tenon_query);

  FIELD(tenon_reply, magic);
  FIELD(tenon_reply, size);
  FIELD(tenon_reply, abi_min);
  FIELD(tenon_reply, abi_max);
  FIELD(tenon_reply, abi);
  FIELD(tenon_reply, sanitizer);
  FIELD(tenon_reply, fingerprint);
  FIELD(tenon_reply, plugin);
  FIELD(tenon_reply, message);
  FIELD(tenon_reply, reserved);
  END(tenon_reply);
}

int main(int count, char** words) {
  if (count > 1 && (recorded = fopen(words[1], "r")) == NULL) {
    perror(words[1]);
    return 2;
  }
  all_structs();
  if (recorded != NULL && fgetc(recorded) != EOF) {
    fprintf(stderr, "%s records more than there is\n", words[1]);
    ++failures;
  }
  return failures != 0;
}
