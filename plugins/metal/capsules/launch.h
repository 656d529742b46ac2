// launch.h: a plan made ready for one device, and how it is noted on a stream.
//
// Immutable; any thread. Pipelines belong to the device.
#pragma once
#include "plan.h"

namespace tenon::metal {

class Launch {
 public:
  Launch(const Plan& plan, Device& device, const SignatureView& signature, bool strict);

  /// `scalars`: the constants of every pass, where they change from launch to launch.
  void operator()(const Arguments& arguments, Stream& stream, const Constants* scalars) const;
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  struct Step {
    Pass::Does does;
    const Pipeline* pipeline;
    std::array<std::uint32_t, 3> groups;
    std::uint32_t group_threads;
    std::vector<Slot> slots;
    Constants constants;
  };
  static Step step_of(const Pass& pass, Device& device);

  std::vector<Step> steps_;
  std::uint64_t workspace_bytes_;
};

/// Does every tensor fit a buffer, and is the device's arithmetic what is promised? Without a device: any one's.
bool fits(const Device* device, const SignatureView& signature, bool strict, Reason& why);
/// And what the plan binds beside the tensors?
bool fits(const Device* device, const Plan& plan, Reason& why);

}  // namespace tenon::metal
