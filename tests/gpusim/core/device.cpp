#include "device.h"

#include <algorithm>
#include <numeric>

namespace gpusim {
Device::Device(const DeviceSettings& settings)
    : settings_(settings), memory_(settings.memory_bytes), random_(settings.seed) {}

bool Device::run(const Library& library, const gpusim_kernel& kernel, const Launch& launch) {
  const LaunchPlan plan{&library,
                        &kernel,
                        launch.grid,
                        launch.block,
                        launch.arguments,
                        launch.dynamic_shared_bytes,
                        settings_.warp_width,
                        settings_.schedule,
                        settings_.pinned,
                        launch.number};
  if (!library.instrumented()) memory_.everything_written();
  const Memory::Opened opened(memory_);
  Block block(plan, memory_, reports_, random_, interval_);
  std::vector<std::uint64_t> order(launch.grid.count());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (settings_.schedule == Schedule::random) random_.shuffle(order);
  if (settings_.schedule == Schedule::descending) std::reverse(order.begin(), order.end());
  return std::all_of(order.begin(), order.end(), [&](std::uint64_t i) { return block.run(launch.grid.nth(i)); });
}

}  // namespace gpusim
