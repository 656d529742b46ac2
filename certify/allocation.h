// allocation.h: the allocator of this program, which can be told to fail. Any thread.
#pragma once
#include "tenon/certificate.h"

namespace tenon::check {

/// All null in a build with sanitizers: their allocator is not replaced.
AllocationControl allocation_control();

}  // namespace tenon::check
