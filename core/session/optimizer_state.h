// optimizer_state.h: what an Optimizer keeps: one update step per trainable parameter, with its moments.
#pragma once
#include "session_state.h"

namespace tenon {

struct OptimizerState {
  struct Update {
    Step step;
    std::vector<Buffer> moments;  // operands after the gradient
    std::vector<Buffer> apart;    // outputs that the kernel would not write in place; empty where it does
    explicit Update(std::shared_ptr<const Kernel> kernel) : step(std::move(kernel)) {}
  };

  explicit OptimizerState(std::shared_ptr<Device> used) : device(std::move(used)) {}
  /// Waits for the device: kernels in flight must not be released.
  ~OptimizerState() { (void)device->synchronize(); }
  OptimizerState(const OptimizerState&) = delete;
  OptimizerState& operator=(const OptimizerState&) = delete;

  std::shared_ptr<Device> device;
  OpSpec row{};
  std::deque<Update> updates;  // as the session's trainable parameters
  std::int64_t steps = 0;

  static result<std::unique_ptr<OptimizerState>> make(SessionState& session, const OptimizerSpec& spec);
  result<void> apply(SessionState& session, std::span<const tenon_ref> gradients, double rate);
};

}  // namespace tenon
