// kernel.h: a kernel of plugins/cpu/reference together with what its arguments must look like.
//
// Owned by the host until release(), which may come too early: then the kernel lives until its queued launches are
// discarded, each with an error. Members are guarded by the lock of the device that the launches are queued on.
#pragma once
#include <string>
#include <vector>

#include "memory.h"

namespace tenon::late {

constexpr std::size_t max_tensors = 16, max_scalars = 8;

/// What launch() copies; handles are turned into addresses only when the work is done.
struct LaunchArguments {
  tenon_ref tensors[max_tensors];
  tenon_scalar scalars[max_scalars];
  tenon_ref workspace;
  std::uint64_t launch_id;
};

class Kernel {
 public:
  /// Prepares `inner` as well.
  Kernel(const tenon_capsule& inner, const tenon_signature& signature);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// What the host is told: the inner kernel's needs.
  tenon_kernel description();

  LaunchArguments copy(const tenon_args& args) const;
  /// Bounds, alignment and overlaps of every tensor. Throws KernelError.
  void check(const LaunchArguments& arguments, const Memory& memory) const;
  /// Computes, now. Returns the inner kernel's status.
  std::int32_t run(const LaunchArguments& arguments, const Memory& memory) const;

  std::size_t queued = 0;
  bool released = false;

 private:
  std::byte* place(const LaunchArguments& arguments, std::size_t tensor, const Memory& memory) const;
  std::byte* workspace(const LaunchArguments& arguments, const Memory& memory) const;
  void check_overlaps(const LaunchArguments& arguments) const;

  const tenon_capsule& inner_;
  tenon_kernel prepared_{};
  std::size_t input_count_, scalar_count_;
  std::vector<std::uint64_t> bytes_;  // of each tensor: inputs, then outputs
};

}  // namespace tenon::late
