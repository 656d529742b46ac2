// Compiled into every library of kernels. The linker makes the two symbols from the section's name.
#include "gpusim/table.h"

extern "C" {
extern const gpusim_kernel __start_gpusim_entries[];
extern const gpusim_kernel __stop_gpusim_entries[];

__attribute__((visibility("default"))) gpusim_kernel_table gpusim_kernels() {
  return {gpusim_table_version, GPUSIM_INSTRUMENTED, unsigned(__stop_gpusim_entries - __start_gpusim_entries),
          __start_gpusim_entries};
}
}
