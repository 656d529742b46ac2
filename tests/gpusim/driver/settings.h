// settings.h: what a fake driver pretends to be, and how it treats whoever uses it. Programs set it by environment
// variables, tests also by Driver::configure.
#pragma once
#include <cstdint>
#include <string>

#include "core/block.h"

namespace gpusim::driver {

/// When queued work is done.
enum class Lateness : std::uint8_t {
  at_once,  // within the call, as far as its stream lets it
  late,     // not before somebody waits for it
  random,   // sometime: with each call, a random number of steps of random streams
};

struct Settings {
  std::string kernels;  // TENON_GPUSIM_KERNELS: libraries, the first one that has a kernel counts
  int devices = 1;      // TENON_GPUSIM_DEVICES
  std::size_t memory_bytes = std::size_t{2} << 30;  // TENON_GPUSIM_MEMORY_MIB
  std::uint64_t seed = 1;                           // TENON_GPUSIM_SEED
  Lateness lateness = Lateness::late;               // TENON_GPUSIM_LATENESS: at_once, late, random
  Schedule schedule = Schedule::random;             // TENON_GPUSIM_SCHEDULE: ascending, descending, random
  unsigned warp_width = 32;                         // TENON_GPUSIM_WARP
  std::string architecture;                         // TENON_GPUSIM_ARCHITECTURE: sm_90, gfx90a
  int version = 0;                                  // TENON_GPUSIM_DRIVER_VERSION, as the vendor counts it
  std::string fail;                                 // TENON_GPUSIM_FAIL: function:n:status[,...]; * is any function
  bool leaks_are_errors = false;                    // TENON_GPUSIM_LEAKS=error
};

/// `defaults`, and what the environment says otherwise. Ends the process on a word that it does not know.
Settings from_environment(Settings defaults);

}  // namespace gpusim::driver
