// Every function of the table, doing nothing and saying that all went well; what a driver of these tests does
// otherwise, its own file defines.
#include "host/driver.h"

using namespace tenon::gpu;

#define TENON_STUB(member, cuda, hip, parameters) \
  extern "C" [[gnu::weak]] Status cuda parameters { return success; }
TENON_DRIVER_FUNCTIONS(TENON_STUB)

extern "C" Status cuGetErrorString(Status status, const char** words) {
  constexpr Status illegal_access = 700;
  *words = status == no_device        ? "no CUDA-capable device is detected"
           : status == illegal_access ? "an illegal access"
                                      : "an error";
  return success;
}
