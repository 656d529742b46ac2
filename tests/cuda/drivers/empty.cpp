// A driver that begins, and shows no device.
#include "common.h"

extern "C" Status cuDriverGetVersion(int* version) { return tell_current_version(version); }
extern "C" Status cuDeviceGetCount(int* count) {
  *count = 0;
  return success;
}
