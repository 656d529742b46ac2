// Two devices: an old one, for whose architecture there is no code, and a new one that has no memory left and breaks
// when its work is looked at.
#include <cstdio>

#include "common.h"

extern "C" Status cuDriverGetVersion(int* version) { return tell_current_version(version); }
extern "C" Status cuDeviceGetCount(int* count) {
  *count = 2;
  return success;
}
extern "C" Status cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return success;
}
extern "C" Status cuDeviceGetName(char* name, int capacity, int device) {
  std::snprintf(name, static_cast<std::size_t>(capacity), "device %d", device);
  return success;
}
extern "C" Status cuDeviceGetAttribute(int* value, int attribute, int device) {
  constexpr int major = 75, minor = 76, multiprocessors = 16, pools = 115;
  *value = attribute == major             ? (device == 0 ? 7 : 9)
           : attribute == minor           ? 0
           : attribute == multiprocessors ? 100
           : attribute == pools           ? 1
                                          : 0;
  return success;
}
extern "C" Status cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  *free_bytes = 10;
  *total_bytes = 1000;
  return success;
}
// The strict battery gets what it asks for, and breaks on the code that is not there.
extern "C" Status cuMemAllocAsync(Address* address, std::size_t bytes, NativeStream) {
  *address = 256;
  return bytes == 4096 ? out_of_memory : success;
}
extern "C" Status cuStreamQuery(NativeStream) { return 700; }
extern "C" Status cuModuleLoadData(Module*, const void*) { return no_binary_for_gpu; }
extern "C" Status cuDeviceGetDefaultMemPool(Pool* pool, int) {
  static int somewhere;
  *pool = &somewhere;
  return success;
}
