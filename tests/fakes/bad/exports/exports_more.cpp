// Exports a helper beside the entry point: another plugin's of the same name could replace it.
#include <cstdint>

#include "tenon/plugin.h"

extern "C" __attribute__((visibility("default"))) int vendor_helper();
int vendor_helper() { return 1; }

std::int32_t tenon_plugin_query(const tenon_query*, tenon_reply*) { return TENON_ERROR; }
