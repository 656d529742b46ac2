// device.h: a simulated device: its memory, its kernels' misdeeds, and the launching of kernels.
//
// One launch runs at a time, in the process: the caller holds a lock of its own over all devices. A launch runs on the
// thread that asks for it, and is over when `run` comes back.
#pragma once
#include "block.h"

namespace gpusim {

struct DeviceSettings {
  unsigned warp_width = 32;  // or 64
  std::size_t memory_bytes = std::size_t{1} << 30;
  Schedule schedule = Schedule::random;
  std::uint64_t seed = 1;
  Memory* pinned = nullptr;  // of the host, which the device may touch
};

struct Launch {
  Extent grid, block;
  void** arguments;
  std::size_t dynamic_shared_bytes = 0;
  std::uint64_t number = 0;  // among all work, in the order in which it was asked for
};

class Device {
 public:
  explicit Device(const DeviceSettings& settings);

  /// False: the launch broke off, as it would with a fault on a device. What was merely wrong is in reports() alone.
  bool run(const Library& library, const gpusim_kernel& kernel, const Launch& launch);

  Memory& memory() { return memory_; }
  Reports& reports() { return reports_; }
  unsigned warp_width() const { return settings_.warp_width; }

 private:
  DeviceSettings settings_;
  Memory memory_;
  Reports reports_;
  Random random_;
  std::uint32_t interval_ = 0;
};

}  // namespace gpusim
