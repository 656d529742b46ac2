#include "optimizer_state.h"

namespace tenon {
namespace {

/// Where the operand that output i updates lies.
tenon_ref place(OptimizerState::Update& update, tenon_ref parameter, std::size_t output) {
  return output == 0 ? parameter : update.moments[output - 1].ref();
}

result<void> make_moments(OptimizerState::Update& update, SessionState& session) {
  for (std::size_t i = 0; i < update.step.output_count(); ++i) {
    const std::uint64_t bytes = update.step.output_bytes(i);
    if (i > 0) {
      TENON_TRY(Buffer moment, Buffer::allocate(session.device, bytes));
      TENON_CHECK(fill_zero(*session.device, moment));
      update.moments.push_back(std::move(moment));
    }
    TENON_TRY(Buffer apart, Buffer::allocate(session.device, update.step.kernel().in_place(i) ? 0 : bytes));
    update.apart.push_back(std::move(apart));
  }
  return {};
}

void bind(OptimizerState::Update& update, tenon_ref parameter, tenon_ref gradient) {
  update.step.set_operand(0, parameter);
  update.step.set_operand(1, gradient);
  for (std::size_t i = 0; i < update.moments.size(); ++i) update.step.set_operand(2 + i, update.moments[i].ref());
  for (std::size_t i = 0; i < update.apart.size(); ++i)
    update.step.set_output(i, update.apart[i].bytes() > 0 ? update.apart[i].ref() : place(update, parameter, i));
}

result<void> copy_back(OptimizerState::Update& update, tenon_ref parameter, Device& device) {
  for (std::size_t i = 0; i < update.apart.size(); ++i) {
    if (update.apart[i].bytes() == 0) continue;
    const std::int32_t status = device.plugin().devices().copy(device.stream(), place(update, parameter, i),
                                                               update.apart[i].ref(), update.apart[i].bytes());
    if (status != TENON_OK) return fail(plugin_error(status, "copy"));
  }
  return {};
}

}  // namespace

Optimizer::Optimizer(std::unique_ptr<OptimizerState> state) : state_(std::move(state)) {}
Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
std::int64_t Optimizer::steps() const { return state_->steps; }

result<std::unique_ptr<OptimizerState>> OptimizerState::make(SessionState& session, const OptimizerSpec& optimizer) {
  auto state = std::make_unique<OptimizerState>(session.device);
  state->row = spec(optimizer.op);
  if (state->row.role != Role::update)
    return fail(Reason::INVALID_ARGUMENT,
                "[optimizer] found operation " + std::string(state->row.name) + ", expected an update");
  const auto request = [&](std::size_t i) {
    return update_request(optimizer, session.program.parameters[i].shape, session.real);
  };
  Gaps gaps;
  for (const std::size_t i : session.trainable)
    TENON_CHECK(session.add_gap(request(i), "update of " + session.program.parameters[i].name, gaps));
  if (!gaps.empty()) return fail(gaps.error(*session.device));
  for (const std::size_t i : session.trainable) {
    TENON_TRY(auto kernel, session.cache.get(request(i)));
    state->updates.emplace_back(std::move(kernel));
  }
  for (Update& update : state->updates) {
    TENON_CHECK(session.executor.admit(update.step));
    TENON_CHECK(make_moments(update, session));
  }
  return state;
}

result<void> OptimizerState::apply(SessionState& session, std::span<const tenon_ref> gradients, double rate) {
  ++steps;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    Update& update = updates[i];
    const tenon_ref parameter = session.parameters[session.trainable[i]].ref();
    bind(update, parameter, gradients[i]);
    update.step.set_scalar(0, Scalar{.f = rate});
    if (row.scalars.count > 1) update.step.set_scalar(1, Scalar{.i = steps});
    if (!session.executor.run(update.step)) return fail(session.executor.error(update.step));
    TENON_CHECK(copy_back(update, parameter, *session.device));
  }
  return {};
}

}  // namespace tenon
