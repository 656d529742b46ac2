// A driver of CUDA 12.4.
#include "common.h"

extern "C" Status cuDriverGetVersion(int* version) {
  *version = 12040;
  return success;
}
