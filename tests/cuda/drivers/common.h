// common.h: what the drivers of these tests have in common. One process, one driver.
#pragma once
#include "host/driver.h"

using namespace tenon::gpu;

/// The version that the plugin asks for.
inline Status tell_current_version(int* version) {
  *version = TENON_GPU_MINIMUM_VERSION;
  return success;
}
