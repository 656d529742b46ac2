// The library that toolkits bring to link with: it has every function, and no driver behind them.
#include "common.h"

extern "C" Status cuDriverGetVersion(int* version) { return tell_current_version(version); }
extern "C" Status cuInit(std::uint32_t) { return stub_library; }
