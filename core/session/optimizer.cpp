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

result<void> copy_back(OptimizerState::Update& update, tenon_ref parameter, SessionState& session) {
  for (std::size_t i = 0; i < update.apart.size(); ++i) {
    if (update.apart[i].bytes() == 0) continue;
    TENON_CHECK(session.copy(place(update, parameter, i), update.apart[i].ref(), update.apart[i].bytes()));
  }
  return {};
}

}  // namespace

Optimizer::Optimizer(std::unique_ptr<OptimizerState> state) : state_(std::move(state)) {}
Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
std::int64_t Optimizer::steps() const { return state_->steps; }

result<void> check_update(const OptimizerSpec& optimizer) {
  const OpSpec& row = spec(optimizer.op);
  if (row.role != Role::update)
    return fail(Reason::INVALID_ARGUMENT,
                "[optimizer] found operation " + std::string(row.name) + ", expected an update");
  const std::vector<OperandType> numbers(row.operand_count());  // any shape would do
  Message why;
  infer(optimizer.op, numbers, optimizer.attributes, why);
  if (why.empty()) return {};
  return fail(Reason::INVALID_ARGUMENT, std::string(why.view()));
}

result<std::unique_ptr<OptimizerState>> OptimizerState::make(SessionState& session, const OptimizerSpec& optimizer) {
  TENON_CHECK(check_update(optimizer));
  auto state = std::make_unique<OptimizerState>(session.device);
  state->made_for = &session;
  state->id = session.next_optimizer_id();
  state->chosen = optimizer;
  state->row = spec(optimizer.op);
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

result<void> OptimizerState::check_belongs_to(const SessionState& owner) const {
  if (made_for == &owner) return {};
  return fail(Reason::INVALID_ARGUMENT, "[optimizer] " + std::string(row.name) +
                                            ": found another session's parameters, expected those it was made for");
}

result<OptimizerSnapshot> OptimizerState::read(SessionState& owner) const {
  OptimizerSnapshot snapshot{steps, {}};
  for (std::size_t i = 0; i < updates.size(); ++i)
    for (std::size_t k = 0; k < updates[i].moments.size(); ++k) {
      const Buffer& moment = updates[i].moments[k];
      std::vector<std::byte> bytes(moment.bytes());
      TENON_CHECK(owner.device->read(bytes, moment.ref()));
      snapshot.moments.push_back(
          {std::string(row.operand(2 + k)), owner.program.parameters[owner.trainable[i]].name, std::move(bytes)});
    }
  return snapshot;
}

namespace {

result<void> check_moment(const Moment& found, std::string_view name, const std::string& parameter,
                          std::uint64_t bytes) {
  if (found.name == name && found.parameter == parameter && found.bytes.size() == bytes) return {};
  return fail(Reason::INVALID_ARGUMENT, "[optimizer] found " + found.name + " of " + found.parameter + " with " +
                                            std::to_string(found.bytes.size()) + " bytes, expected " +
                                            std::string(name) + " of " + parameter + " with " + std::to_string(bytes));
}

}  // namespace

result<void> OptimizerState::set(SessionState& owner, const OptimizerSnapshot& snapshot) {
  const std::size_t per_parameter = row.operand_count() - 2, expected = per_parameter * updates.size();
  if (snapshot.moments.size() != expected || snapshot.steps < 0)
    return fail(Reason::INVALID_ARGUMENT, "[optimizer] " + std::string(row.name) + ": found " +
                                              std::to_string(snapshot.moments.size()) + " moments and " +
                                              std::to_string(snapshot.steps) + " steps, expected " +
                                              std::to_string(expected) + " moments and 0 steps or more");
  std::vector<Buffer> buffers;
  for (std::size_t i = 0; i < expected; ++i) {
    const Update& update = updates[i / per_parameter];
    const Moment& moment = snapshot.moments[i];
    TENON_CHECK(check_moment(moment, row.operand(2 + i % per_parameter),
                             owner.program.parameters[owner.trainable[i / per_parameter]].name,
                             update.moments[i % per_parameter].bytes()));
    TENON_TRY(Buffer buffer, Buffer::allocate(device, moment.bytes.size()));
    if (!moment.bytes.empty()) TENON_CHECK(device->write(buffer.ref(), moment.bytes));
    buffers.push_back(std::move(buffer));
  }
  for (std::size_t i = 0; i < expected; ++i)
    updates[i / per_parameter].moments[i % per_parameter] = std::move(buffers[i]);
  steps = snapshot.steps;
  id = owner.next_optimizer_id();
  return {};
}

result<void> OptimizerState::apply(SessionState& session, std::span<const tenon_ref> gradients, double rate) {
  const WatchScope part(session.executor.watch(), "update");
  const std::int64_t step = steps + 1;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    Update& update = updates[i];
    const tenon_ref parameter = session.parameters[session.trainable[i]].ref();
    bind(update, parameter, gradients[i]);
    update.step.set_scalar(0, Scalar{.f = rate});
    if (row.scalars.count > 1) update.step.set_scalar(1, Scalar{.i = step});
    if (!session.executor.run(update.step)) return fail(session.executor.error(update.step));
    TENON_CHECK(copy_back(update, parameter, session));
  }
  steps = step;
  return {};
}

}  // namespace tenon
