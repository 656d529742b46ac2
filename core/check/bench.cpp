#include "bench.h"

#include <algorithm>

#include "reference_device.h"

namespace tenon::check {

Bench::Bench(Examined& examined, const AllocationControl& allocation, std::string fatal)
    : examined_(examined), allocation_(allocation), fatal_(std::move(fatal)) {}
Bench::~Bench() = default;

bool Bench::is_fatal(std::string_view check) const { return fatal_.find(std::string(check) + ",") != fatal_.npos; }

Verdict Bench::initialize() {
  if (is_fatal("life/initialize") || !examined_.initialize())
    return skipped("the plugin cannot be initialised: see life/initialize");
  return {};
}

sought<DeviceFacts> Bench::usable_device() {
  if (examined_.raw().devices == nullptr)
    return skipped("the plugin brings kernels only, and no device to run them on");
  TENON_HOLDS(initialize());
  if (is_fatal("life/enumerate")) return skipped("its devices are not known: see life/enumerate");
  const auto all = examined_.enumerate();
  if (!all) return skipped("its devices are not known: see life/enumerate");
  const auto usable = std::ranges::find(*all, 0, &DeviceFacts::usable);
  if (usable == all->end()) return skipped("no device can be used: see life/usable");
  return *usable;
}

sought<std::unique_ptr<Lane>> Bench::open_lane() {
  if (examined_.raw().devices == nullptr) return open_lane_of_cpu();
  TENON_SEEK(const DeviceFacts facts, usable_device());
  return Lane::open(examined_.devices(), examined_.self(), facts);
}

sought<std::unique_ptr<Lane>> Bench::open_lane_of_cpu() {
  TENON_HOLDS(initialize());
  TENON_SEEK(ReferenceDevice* const cpu, reference());
  return Lane::open(cpu->plugin().devices(), cpu->plugin().self(), cpu->facts());
}

sought<Lane*> Bench::lane() {
  if (lane_ != nullptr) return lane_.get();
  if (is_fatal("life/open")) return skipped("no device could be opened: see life/open");
  auto opened = open_lane();
  if (!opened && opened.error().outcome == Outcome::failed) return skipped("no device could be opened: see life/open");
  TENON_SEEK(lane_, std::move(opened));
  return lane_.get();
}

sought<Lane*> own_lane(Bench& bench) {
  if (bench.plugin().raw().devices == nullptr) return skipped("the plugin brings kernels only");
  return bench.lane();
}

Verdict needs_own_device(Bench& bench) {
  TENON_HOLDS(own_lane(bench));
  return {};
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
