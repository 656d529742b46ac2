// battery.h: does a device's arithmetic deserve the word strict?
//
// Any thread; once for each device of a process.
#pragma once
#include "device.h"

namespace tenon::metal {

/// Runs hard cases against recorded bits: empty where all agree, else the first that does not, in words.
std::string run_battery(Device& device);

}  // namespace tenon::metal
