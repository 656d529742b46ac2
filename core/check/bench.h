// bench.h: what a check is given: the plugin, a device opened on first use, the helper's allocator, and the CPU's own
// plugin to compare bits with.
//
// Lives in the helper process; the thread that runs the checks.
#pragma once
#include <memory>

#include "examined.h"
#include "lane.h"

namespace tenon::check {

class ReferenceDevice;

class Bench {
 public:
  /// `fatal`: as in Assignment.
  Bench(Examined& examined, const AllocationControl& allocation, std::string fatal);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Examined& plugin() { return examined_; }
  const AllocationControl& allocation() const { return allocation_; }

  /// Skipped if it fails: life/initialize is the check that says so.
  Verdict initialize();

  /// The first usable device; initialises the plugin. Skipped where there is none: life/open is the check that fails.
  sought<DeviceFacts> usable_device();
  /// That device, opened once for all checks that want it. A plugin that brings kernels only gets this Tenon's cpu, and
  /// fails where that is not to be had: no other check would say so.
  sought<Lane*> lane();
  void close_lane() { lane_.reset(); }
  bool has_lane() const { return lane_ != nullptr; }

  /// The plugin `cpu` of this Tenon; skipped where there is none, or where it is itself examined.
  sought<ReferenceDevice*> reference();

 private:
  sought<std::unique_ptr<Lane>> open_own_lane();
  sought<std::unique_ptr<Lane>> open_lane_of_cpu();
  sought<ReferenceDevice*> cpu();
  bool is_fatal(std::string_view check) const;
  Examined& examined_;
  AllocationControl allocation_;
  std::string fatal_;
  std::unique_ptr<ReferenceDevice> reference_;
  bool has_opened_ = false;
  std::unique_ptr<Lane> lane_;  // perhaps of the reference: it goes first
};

/// Initialises; skipped where the plugin brings no devices.
Verdict needs_devices(Bench& bench);
/// Skipped where the lane is not the plugin's own.
Verdict needs_own_device(Bench& bench);
sought<Lane*> own_lane(Bench& bench);

/// Skipped in a build with sanitizers.
Verdict needs_allocation_control(const Bench& bench);

}  // namespace tenon::check
