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
  const SessionState* made_for = nullptr;  // whose parameters it updates
  std::uint64_t id = 0;                    // of this state's memory; another one's after it has moved
  OptimizerSpec chosen{};
  OpSpec row{};
  std::deque<Update> updates;  // as the session's trainable parameters
  std::int64_t steps = 0;

  static result<std::unique_ptr<OptimizerState>> make(SessionState& session, const OptimizerSpec& spec);
  /// INVALID_ARGUMENT if it was made by another session.
  result<void> check_belongs_to(const SessionState& session) const;
  result<OptimizerSnapshot> read(SessionState& session) const;
  result<void> set(SessionState& session, const OptimizerSnapshot& snapshot);
  result<void> apply(SessionState& session, std::span<const tenon_ref> gradients, double rate);
};

}  // namespace tenon
