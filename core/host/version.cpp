#include "tenon/version.h"

#ifndef TENON_VERSION
#define TENON_VERSION "0.1.0"
#endif

namespace tenon {

std::string_view version() { return TENON_VERSION; }

}  // namespace tenon
