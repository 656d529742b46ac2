#include "bench.h"

#include <algorithm>

#include "reference_device.h"

namespace tenon::check {

Bench::Bench(Examined& examined, const AllocationControl& allocation) : examined_(examined), allocation_(allocation) {}
Bench::~Bench() = default;

sought<DeviceFacts> Bench::usable_device() {
  if (examined_.raw().devices == nullptr)
    return skipped("the plugin brings kernels only, and no device to run them on");
  if (!examined_.initialize()) return skipped("the plugin cannot be initialised: see life/initialize");
  const auto all = examined_.enumerate();
  if (!all) return skipped("its devices are not known: see life/enumerate");
  const auto usable = std::ranges::find(*all, 0, &DeviceFacts::usable);
  if (usable == all->end()) return skipped("no device can be used: see life/usable");
  return *usable;
}

sought<Lane*> Bench::lane() {
  if (lane_ != nullptr) return lane_.get();
  TENON_SEEK(const DeviceFacts facts, usable_device());
  auto opened = Lane::open(examined_.devices(), examined_.self(), facts);
  if (!opened) return skipped("no device could be opened: see life/open");
  lane_ = *std::move(opened);
  return lane_.get();
}

sought<ReferenceDevice*> Bench::reference() {
  if (reference_ == nullptr) {
    TENON_SEEK(reference_, ReferenceDevice::open(examined_.library()));
  }
  return reference_.get();
}

Verdict needs_allocation_control(const Bench& bench) {
  if (bench.allocation().fail_nth != nullptr) return {};
  return skipped("this Tenon is built with sanitizers, whose allocator cannot be made to fail");
}

}  // namespace tenon::check
