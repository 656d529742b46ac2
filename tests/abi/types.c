/* types.c: every type of plugin.h in one small library, for tools that compare libraries by their debug information. */
#include "tenon/plugin.h"

struct everything {
  const tenon_query* query;
  tenon_reply* reply;
  const tenon_host* host;
  const tenon_plugin* plugin;
  const tenon_devices* devices;
  const tenon_device_info* info;
  const tenon_memory* memory;
  const tenon_capsule* capsule;
  const tenon_signature* signature;
  const tenon_kernel* kernel;
  const tenon_args* args;
  const tenon_launch* launch;
  const tenon_attr* attribute;
  const tenon_text* text;
};

void tenon_abi_types(struct everything* all);
void tenon_abi_types(struct everything* all) { (void)all; }
