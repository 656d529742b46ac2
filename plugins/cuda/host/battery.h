// battery.h: does a device compute what strict numerics promise? A few launches when it is opened, on inputs that are
// hard to get right, against the same functions computed here; milliseconds.
//
// Threads: the one that opens the device, before anybody else knows it.
#pragma once
#include <string>

#include "driver.h"

namespace tenon::gpu {

class Device;

/// The first case whose bits differ, or why none could be run: what strict kernels of this device are refused with.
/// Empty if all is well. Throws where there is no memory, or the device is lost: that is no matter of bits.
std::string strict_failure(Device& device, NativeStream stream);

}  // namespace tenon::gpu
