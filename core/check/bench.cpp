#include "bench.h"

#include <algorithm>

#include "reference_device.h"

namespace tenon::check {

Bench::Bench(Examined& examined, const AllocationControl& allocation, std::string fatal)
    : examined_(examined), allocation_(allocation), fatal_(std::move(fatal)) {}
Bench::~Bench() = default;

bool Bench::is_fatal(std::string_view check) const { return fatal_.find(std::string(check) + ",") != fatal_.npos; }

Verdict Bench::initialize() {
  const auto impossible = [] { return skipped("the plugin cannot be initialised: see life/initialize"); };
  if (is_fatal("life/initialize")) return impossible();
  const Verdict initialized = examined_.initialize();
  if (!initialized && initialized.error().outcome == Outcome::failed) return impossible();
  return initialized;
}

sought<DeviceFacts> Bench::usable_device() {
  TENON_HOLDS(needs_devices(*this));
  if (is_fatal("life/enumerate")) return skipped("its devices are not known: see life/enumerate");
  const auto all = examined_.enumerate();
  if (!all) return skipped("its devices are not known: see life/enumerate");
  const auto usable = std::ranges::find(*all, 0, &DeviceFacts::usable);
  if (usable == all->end()) return skipped("no device can be used: see life/usable");
  return *usable;
}

sought<std::unique_ptr<Lane>> Bench::open_own_lane() {
  const auto not_opened = [] { return skipped("no device could be opened: see life/open"); };
  if (is_fatal("life/open")) return not_opened();
  TENON_SEEK(const DeviceFacts facts, usable_device());
  auto opened = Lane::open(examined_.devices(), examined_.self(), facts);
  if (!opened && has_opened_)  // life/open knows nothing of this
    return wrong_by_now("a device was opened before, and now it is not: " + opened.error().found,
                        "a device, as before");
  if (!opened) return not_opened();
  has_opened_ = true;
  return opened;
}

sought<std::unique_ptr<Lane>> Bench::open_lane_of_cpu() {
  TENON_HOLDS(initialize());
  const auto opened = [&]() -> sought<std::unique_ptr<Lane>> {
    TENON_SEEK(ReferenceDevice* const own, cpu());
    return Lane::open(own->plugin().devices(), own->plugin().self(), own->facts());
  };
  auto lane = opened();
  if (!lane) return wrong("no device to run its kernels on: " + lane.error().found, "the device of this Tenon's cpu");
  return lane;
}

sought<Lane*> Bench::lane() {
  if (lane_ != nullptr) return lane_.get();
  TENON_SEEK(lane_, examined_.raw().devices == nullptr ? open_lane_of_cpu() : open_own_lane());
  return lane_.get();
}

sought<Lane*> own_lane(Bench& bench) {
  TENON_HOLDS(needs_devices(bench));
  return bench.lane();
}

Verdict needs_devices(Bench& bench) {
  if (bench.plugin().raw().devices == nullptr) return skipped("the plugin brings kernels only");
  return bench.initialize();
}

Verdict needs_own_device(Bench& bench) {
  TENON_HOLDS(own_lane(bench));
  return {};
}

sought<ReferenceDevice*> Bench::reference() {
  auto own = cpu();
  if (!own) return skipped("nothing to compare with: " + own.error().found);
  return own;
}

sought<ReferenceDevice*> Bench::cpu() {
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
