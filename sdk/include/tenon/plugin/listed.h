/* listed.h: does a capsule list what a signature asks for? For plugins in C; tenon/plugin.hpp looks by itself. The host
 * of this Tenon has compared before it asks; a plugin that declines for itself is safe with every other host, too. C11
 * and C++20. Pure; any thread. */
#ifndef TENON_PLUGIN_LISTED_H
#define TENON_PLUGIN_LISTED_H

#include <string.h>

#include "tenon/plugin.h"

/* The i-th value of the signature's node: its operands, then its results. */
static inline const tenon_tensor* tenon_node_value(const tenon_signature* signature, uint32_t i) {
  const tenon_node* node = signature->nodes[0];
  return signature->values[i < node->input_count ? node->inputs[i] : node->outputs[i - node->input_count]];
}

static inline int tenon_lists_dtypes(const tenon_dtypes* row, const tenon_signature* signature) {
  const tenon_node* node = signature->nodes[0];
  if (row->count != node->input_count + node->output_count) return 0;
  for (uint32_t i = 0; i < row->count; ++i) {
    const tenon_dtype found = tenon_node_value(signature, i)->dtype, listed = row->of[i];
    if (found.code != listed.code || found.bits != listed.bits || found.lanes != listed.lanes) return 0;
  }
  return 1;
}

static inline int tenon_lists_attribute(const tenon_capsule* capsule, const char* name) {
  for (uint32_t i = 0; i < capsule->attribute_count; ++i)
    if (strcmp(capsule->attributes[i], name) == 0) return 1;
  return 0;
}

/* NULL where the signature is one node and the capsule lists its dtypes, its operands' layouts and its attributes; else
 * why not, for its reason. Results are dense. */
static inline const char* tenon_unlisted(const tenon_capsule* capsule, const tenon_signature* signature) {
  const tenon_node* node = signature->nodes[0];
  uint32_t row = 0;
  if (signature->node_count != 1) return "serves one operation at a time";
  while (row < capsule->dtypes_count && !tenon_lists_dtypes(&capsule->dtypes[row], signature)) ++row;
  if (row == capsule->dtypes_count) return "takes other dtypes, or another number of them";
  for (uint32_t i = 0; i < node->input_count + node->output_count; ++i) {
    const tenon_tensor* value = tenon_node_value(signature, i);
    const uint32_t layouts = i < node->input_count ? capsule->layouts : TENON_LAYOUT_DENSE;
    if ((value->layout & layouts) == 0 || value->format != NULL) return "takes tensors of other layouts";
  }
  for (uint32_t i = 0; i < node->attr_count; ++i)
    if (!tenon_lists_attribute(capsule, node->attrs[i].name)) return "knows no such attribute";
  return NULL;
}

#endif /* TENON_PLUGIN_LISTED_H */
