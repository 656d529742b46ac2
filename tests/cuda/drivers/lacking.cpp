// A library that has next to nothing of what a driver has, and does not say how old it is.
#include "common.h"

extern "C" Status cuInit(std::uint32_t) { return success; }
