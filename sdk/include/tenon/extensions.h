/* extensions.h: the tables that a plugin may hand out beside those of plugin.h, through tenon_plugin.extension(self,
 * name, version). C11 and C++20.
 *
 * The host asks by name and version; NULL means that the plugin has no such table. Every struct here is FROZEN: a
 * change is a new version of the name. A table belongs to the plugin and lives until shutdown(). Threads: T.
 */
#ifndef TENON_EXTENSIONS_H
#define TENON_EXTENSIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* tenon_variants: in which variants (instruction sets, code for architectures) the plugin brings its kernels, which of
 * them it took, and why not the others. Asked for after initialize(), for reports alone. */
#define TENON_EXTENSION_VARIANTS "tenon.variants"
#define TENON_EXTENSION_VARIANTS_VERSION UINT32_C(1)

typedef struct tenon_variant { /* FROZEN */
  const char* name;            /* "avx2" */
  const char* reason;          /* why it was passed over: "the processor has no fma"; "" for one that was taken */
  uint32_t taken, pad;         /* 1: kernels of this variant run; else 0 */
} tenon_variant;

typedef struct tenon_variants { /* FROZEN */
  uint32_t count, pad;
  const tenon_variant* of; /* the least demanding one first */
} tenon_variants;

#ifdef __cplusplus
}
#endif

#endif
