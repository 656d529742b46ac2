// trap.h: what is said when a bad address is touched by code that nobody instruments: a plain kernel, or the host.
//
// The process ends, after a line that names the kernel, block and thread, or says that the host touched a device's
// memory. Addresses that no simulated device ever had are left to whoever handled the signal before.
#pragma once

namespace gpusim {

class Memory;

void watch(Memory& memory);
void unwatch(Memory& memory);

}  // namespace gpusim
