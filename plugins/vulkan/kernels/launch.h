// launch.h: a plan made ready for one device, and how it is noted on a stream.
//
// Immutable; any thread. Pipelines belong to the device.
#pragma once
#include "plan.h"
#include "stream.h"

namespace tenon::vulkan {

class Launch {
 public:
  Launch(const Plan& plan, Device& device, const SignatureView& signature);

  /// `scalars`: the push constants of every pass that has a shader, where they change from launch to launch.
  void operator()(const Arguments& arguments, Stream& stream, const Push* scalars) const;
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  struct Step {
    VkPipeline pipeline;
    std::array<std::uint32_t, 3> groups;
    std::vector<Slot> slots;
    Push push;
    bool copies;
  };
  Step step_of(const Pass& pass, Device& device, bool binary64);

  std::vector<Step> steps_;
  std::uint64_t workspace_bytes_;
};

/// Does every tensor fit a binding of the device, and is its arithmetic strict? Without a device: any one's.
bool fits(const Device* device, const SignatureView& signature, Reason& why);
/// And what the plan binds beside the tensors?
bool fits(const Device* device, const Plan& plan, Reason& why);

}  // namespace tenon::vulkan
