// device.h: the portable CPU as a Tenon device. One device, ordinal 0; a handle of memory is its address; everything
// has happened when a call returns, so streams and events have nothing to wait for.
//
// Ownership: the host closes what it opened. Threads: any, for every slot; there is no state that calls share.
#pragma once
#include "native/isa.h"
#include "tenon/plugin.hpp"

namespace tenon::cpu {

/// What a tenon_device of this plugin is.
struct Device {
  native::Isa isa;  // of the kernels of `native` that are prepared for it
};

/// Without a device, that of the machine.
inline native::Isa isa_of(tenon_device* device) {
  return device == nullptr ? widest(native::Processor::here()) : plugin::from_handle<Device>(device).isa;
}

extern const tenon_devices devices;

}  // namespace tenon::cpu
