// validation.h: TENON_VALIDATE=1: calls between host and plugins are checked against the rules of plugin.h.
//
// The environment is read when a plugin is loaded: from then on its tables are checking ones, or the plain ones. A
// fault is an error of the call that shows it (VALIDATION_FAILED); where a call has nobody to tell, it is a line in the
// log, and check_validation() remembers it. Any thread may call.
#pragma once
#include <cstdint>

#include "tenon/result.h"

namespace tenon {

/// Is TENON_VALIDATE set to 1 for the plugins that will be loaded? An error if it is neither that nor 0, empty or
/// unset: whoever sets it wants to know.
TENON_API result<bool> validates();

/// Faults of this process so far.
TENON_API std::uint64_t validation_faults();

/// VALIDATION_FAILED with the first fault if there was one.
TENON_API result<void> check_validation();

}  // namespace tenon
