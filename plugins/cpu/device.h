// device.h: the portable CPU as a Tenon device. One device, ordinal 0; a handle of memory is its address; everything
// has happened when a call returns, so streams and events have nothing to wait for.
//
// Ownership: the host closes what it opened. Threads: any, for every slot; there is no state that calls share.
#pragma once
#include "tenon/plugin.h"

namespace tenon::cpu {

extern const tenon_devices devices;

}  // namespace tenon::cpu
