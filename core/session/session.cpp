#include "tenon/session.h"

#include <algorithm>

#include "optimizer_state.h"
#include "session_state.h"
#include "strict_scope.h"
#include "tenon/contain.h"

namespace tenon {
namespace {

/// Parameters and states stand in files under their names.
result<void> check_names(const Program& program) {
  std::vector<std::string_view> names;
  for (const ParameterSpec& p : program.parameters) names.push_back(p.name);
  for (const StateSpec& s : program.states) names.push_back(s.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return {};
  return fail(Reason::INVALID_ARGUMENT, "[session] parameters and states of " + program.name + ": found the name " +
                                            std::string(*twice) + " twice, expected each once");
}

result<void> check(const Program& program) {
  for (const ParameterSpec& p : program.parameters)
    if (!is_static(p.shape) || !checked_elements(p.shape))
      return fail(Reason::INVALID_ARGUMENT, "[session] parameter " + p.name + " " + to_string(p.shape) +
                                                ": expected known extents and a size that fits memory");
  for (const StateSpec& state : program.states)
    if (!is_static(state.shape) || !checked_elements(state.shape))
      return fail(Reason::INVALID_ARGUMENT, "[session] state " + state.name + " " + to_string(state.shape) +
                                                ": expected known extents and a size that fits memory");
  TENON_CHECK(check_names(program));
  if (!std::ranges::is_sorted(program.inputs, {}, &InputSpec::kind))
    return fail(Reason::INVALID_ARGUMENT, "[session] inputs of " + program.name + ": expected the real ones first");
  return {};
}

tl::unexpected<Error> wrong_initial(const ParameterSpec& parameter, const std::string& found,
                                    const std::string& expected) {
  return fail(Reason::INVALID_ARGUMENT,
              "[session] initial value of " + parameter.name + ": found " + found + ", expected " + expected);
}

result<void> check_initial(const InitialValue& value, const ParameterSpec& parameter) {
  if (const RealSpan* given = std::get_if<RealSpan>(&value)) {
    const auto expected = static_cast<std::size_t>(known_elements(parameter.shape));
    if (given->size() == expected) return {};
    return wrong_initial(parameter, std::to_string(given->size()) + " values", std::to_string(expected));
  }
  const SourceInit& init = std::get<SourceInit>(value);
  Message why;
  const Shape shape = infer(init.op, {}, init.attributes, why);
  if (!why.empty()) return fail(Reason::INVALID_ARGUMENT, std::string(why.view()));
  if (shape == parameter.shape) return {};
  return wrong_initial(parameter, to_string(shape), to_string(parameter.shape));
}

template <class Spec>
result<void> check_sizes(std::string_view what, const std::vector<Spec>& specs,
                         std::span<const std::vector<std::byte>> values, std::span<const std::uint64_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (values[i].size() != expected[i])
      return fail(Reason::INVALID_ARGUMENT, "[session] " + std::string(what) + " " + specs[i].name + ": found " +
                                                std::to_string(values[i].size()) + " bytes, expected " +
                                                std::to_string(expected[i]));
  return {};
}

result<void> check_length(const Program& program, std::size_t found, std::size_t expected, std::string_view what) {
  if (found == expected) return {};
  return fail(Reason::INVALID_ARGUMENT, "[session] found " + std::to_string(found) + " " + std::string(what) +
                                            ", expected " + std::to_string(expected) + ", one for each of " +
                                            program.name);
}

}  // namespace

Session::Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const Program& Session::program() const { return state_->program; }
Device& Session::device() const { return *state_->device; }

result<void> check_headers(CompiledWith caller) {
  if (caller.ops == CompiledWith{}.ops) return {};
  return fail(Reason::HEADERS_MISMATCH, "[session] found another op table in the program than in libtenon.so");
}

result<Session> Session::create(Registry registry, Program program, const SessionOptions& options,
                                CompiledWith caller) {
  return contained("session", [&]() -> result<Session> {
    TENON_CHECK(check_headers(caller));
    const std::shared_ptr<Device> device = registry.device();
    const StrictScope strict(*device);  // rules and kernels compute constants now
    TENON_CHECK(check(program));
    auto state = std::make_unique<SessionState>(std::move(registry), std::move(program), options);
    TENON_CHECK(state->resolve_announced(options));
    TENON_TRY(auto parameters, allocate_all(state->device, state->parameter_bytes()));
    for (const Buffer& parameter : parameters) TENON_CHECK(fill_zero(*state->device, parameter));
    state->commit(std::move(parameters));
    TENON_TRY(auto states, allocate_all(state->device, state->state_bytes()));
    for (std::size_t i = 0; i < states.size(); ++i)
      TENON_CHECK(fill_with(*state->device, states[i], state->program.states[i].initial, state->real));
    state->commit_states(std::move(states));
    return Session(std::move(state));
  });
}

namespace {

/// Kernels for the values that the device makes, in order; gaps are one error.
result<std::deque<Step>> initial_steps(SessionState& state, std::span<const InitialValue> values) {
  Gaps gaps;
  for (std::size_t i = 0; i < values.size(); ++i) {
    TENON_CHECK(check_initial(values[i], state.program.parameters[i]));
    if (const SourceInit* init = std::get_if<SourceInit>(&values[i]))
      TENON_CHECK(state.add_gap(initial_request(*init, state.real), "initial values", gaps));
  }
  if (!gaps.empty()) return fail(gaps.error(*state.device));
  std::deque<Step> steps;
  for (const InitialValue& value : values) {
    const SourceInit* init = std::get_if<SourceInit>(&value);
    if (init == nullptr) continue;
    TENON_TRY(auto kernel, state.cache.get(initial_request(*init, state.real)));
    Step& step = steps.emplace_back(std::move(kernel));
    step.set_scalar(0, Scalar{.u = init->key});
    TENON_CHECK(state.executor.admit(step));
  }
  return steps;
}

result<void> fill_in(SessionState& state, const InitialValue& value, const Buffer& buffer, std::deque<Step>& steps,
                     std::size_t& next) {
  if (const RealSpan* given = std::get_if<RealSpan>(&value)) {
    std::vector<std::byte> staging;
    return buffer.bytes() == 0 ? result<void>()
                               : state.device->write(buffer.ref(), stored(*given, state.real, staging));
  }
  Step& step = steps[next++];
  step.set_output(0, buffer.ref());
  if (!state.executor.run(step)) return fail(state.executor.error(step));
  return {};
}

result<std::vector<std::vector<std::byte>>> read_all(Device& device, const std::vector<Buffer>& buffers) {
  std::vector<std::vector<std::byte>> values;
  for (const Buffer& buffer : buffers) {
    std::vector<std::byte> bytes(buffer.bytes());
    TENON_CHECK(device.read(bytes, buffer.ref()));
    values.push_back(std::move(bytes));
  }
  return values;
}

/// New buffers with these values: what is there stays until all are written.
result<std::vector<Buffer>> written(SessionState& state, std::span<const std::vector<std::byte>> values,
                                    std::span<const std::uint64_t> bytes) {
  TENON_TRY(auto buffers, allocate_all(state.device, bytes));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].empty()) TENON_CHECK(state.device->write(buffers[i].ref(), values[i]));
  return buffers;
}

}  // namespace

result<void> Session::initialise(std::span<const InitialValue> values) {
  return contained("session", [&]() -> result<void> {
    const StrictScope strict(*state_->device);
    const WatchScope part(state_->executor.watch(), "initialise");
    const Program& program = state_->program;
    TENON_CHECK(check_length(program, values.size(), program.parameters.size(), "initial values"));
    TENON_TRY(auto steps, initial_steps(*state_, values));
    TENON_TRY(auto buffers, allocate_all(state_->device, state_->parameter_bytes()));
    std::size_t next = 0;
    for (std::size_t i = 0; i < values.size(); ++i) TENON_CHECK(fill_in(*state_, values[i], buffers[i], steps, next));
    TENON_CHECK(state_->device->synchronize());
    state_->commit(std::move(buffers));
    return {};
  });
}

result<void> Session::initialise(std::span<const SourceInit> inits) {
  return contained("session", [&] { return initialise(std::vector<InitialValue>(inits.begin(), inits.end())); });
}

result<std::vector<std::vector<std::byte>>> Session::read_parameters() {
  return contained("session", [&] { return read_all(*state_->device, state_->parameters); });
}

namespace {

result<std::vector<Buffer>> new_parameters(SessionState& state, std::span<const std::vector<std::byte>> values) {
  const Program& program = state.program;
  TENON_CHECK(check_length(program, values.size(), program.parameters.size(), "parameter values"));
  const std::vector<std::uint64_t> sizes = state.parameter_bytes();
  TENON_CHECK(check_sizes("parameter", program.parameters, values, sizes));
  return written(state, values, sizes);
}

result<std::vector<Buffer>> new_states(SessionState& state, std::span<const std::vector<std::byte>> values) {
  const Program& program = state.program;
  TENON_CHECK(check_length(program, values.size(), program.states.size(), "states"));
  const std::vector<std::uint64_t> sizes = state.state_bytes();
  TENON_CHECK(check_sizes("state", program.states, values, sizes));
  return written(state, values, sizes);
}

}  // namespace

result<void> Session::set_parameters(std::span<const std::vector<std::byte>> values) {
  return contained("session", [&]() -> result<void> {
    TENON_TRY(auto buffers, new_parameters(*state_, values));
    state_->commit(std::move(buffers));
    return {};
  });
}

result<void> Session::restore(const SessionSnapshot& snapshot, Optimizer* optimizer) {
  return contained("session", [&]() -> result<void> {
    if (optimizer != nullptr) TENON_CHECK(optimizer->state_->check_belongs_to(*state_));
    TENON_TRY(auto parameters, new_parameters(*state_, snapshot.parameters));
    TENON_TRY(auto states, new_states(*state_, snapshot.states));
    if (optimizer != nullptr) TENON_CHECK(optimizer->state_->set(*state_, snapshot.optimizer));
    state_->commit(std::move(parameters));  // from here on nothing can fail
    state_->commit_states(std::move(states));
    state_->draws.count = snapshot.draws;
    return {};
  });
}

result<std::vector<std::vector<std::byte>>> Session::read_states() {
  return contained("session", [&] { return read_all(*state_->device, state_->states); });
}

result<void> Session::set_states(std::span<const std::vector<std::byte>> values) {
  return contained("session", [&]() -> result<void> {
    TENON_TRY(auto buffers, new_states(*state_, values));
    state_->commit_states(std::move(buffers));
    return {};
  });
}

std::uint64_t Session::draws() const { return state_->draws.count; }
void Session::set_draws(std::uint64_t count) { state_->draws.count = count; }

result<Optimizer> Session::init_optim(const OptimizerSpec& spec) {
  return contained("session", [&]() -> result<Optimizer> {
    const StrictScope strict(*state_->device);
    TENON_TRY(auto state, OptimizerState::make(*state_, spec));
    return Optimizer(std::move(state));
  });
}

result<OptimizerSnapshot> Session::read_optimizer(const Optimizer& optimizer) {
  return contained("session", [&]() -> result<OptimizerSnapshot> {
    TENON_CHECK(optimizer.state_->check_belongs_to(*state_));
    return optimizer.state_->read(*state_);
  });
}

result<void> Session::set_optimizer(Optimizer& optimizer, const OptimizerSnapshot& snapshot) {
  return contained("session", [&]() -> result<void> {
    TENON_CHECK(optimizer.state_->check_belongs_to(*state_));
    return optimizer.state_->set(*state_, snapshot);
  });
}

result<double> Session::train_step(const Batch& given, Optimizer& optimizer, double rate) {
  return contained("session", [&]() -> result<double> {
    const StrictScope strict(*state_->device);
    const WatchScope part(state_->executor.watch(), "step");
    TENON_CHECK(optimizer.state_->check_belongs_to(*state_));
    if (state_->backend == Backend::compiled) {
      TENON_CHECK(state_->run_step(given, *optimizer.state_, rate));
      return state_->read_loss();
    }
    TENON_CHECK(state_->run(TraceKind::gradient, given));
    TENON_CHECK(optimizer.state_->apply(*state_, state_->gradients(), rate));
    TENON_CHECK(state_->store_states());
    return state_->read_loss();
  });
}

result<void> Session::prepare_step(const Batch& given, const Optimizer& optimizer) {
  return contained("session", [&]() -> result<void> {
    const StrictScope strict(*state_->device);
    TENON_CHECK(optimizer.state_->check_belongs_to(*state_));
    if (state_->backend == Backend::compiled) return state_->resolve(TraceKind::step, given, optimizer.state_.get());
    return state_->resolve(TraceKind::gradient, given, nullptr);
  });
}

result<void> Session::prepare_loss(const Batch& given) {
  return contained("session", [&]() -> result<void> {
    const StrictScope strict(*state_->device);
    return state_->resolve(TraceKind::loss, given, nullptr);
  });
}

result<double> Session::loss(const Batch& given) {
  return contained("session", [&]() -> result<double> {
    const StrictScope strict(*state_->device);
    const WatchScope part(state_->executor.watch(), "loss");
    TENON_CHECK(state_->run(TraceKind::loss, given));
    TENON_CHECK(state_->store_states());
    return state_->read_loss();
  });
}

result<double> Session::training_loss(const Batch& given) {
  return contained("session", [&]() -> result<double> {
    const StrictScope strict(*state_->device);
    const WatchScope part(state_->executor.watch(), "training loss");
    TENON_CHECK(state_->run(TraceKind::training_loss, given));
    TENON_CHECK(state_->store_states());
    return state_->read_loss();
  });
}

result<std::vector<double>> Session::evaluate(const Batch& given) {
  return contained("session", [&]() -> result<std::vector<double>> {
    const StrictScope strict(*state_->device);
    const WatchScope part(state_->executor.watch(), "evaluate");
    TENON_CHECK(state_->run(TraceKind::forward, given));
    TENON_CHECK(state_->store_states());
    return state_->read_result();
  });
}

Shape Session::result_shape() const { return state_->result_shape(); }

result<std::vector<std::vector<double>>> Session::gradients(const Batch& given) {
  TENON_TRY(LossAndGradients both, loss_and_gradients(given));
  return std::move(both.gradients);
}

result<Session::LossAndGradients> Session::loss_and_gradients(const Batch& given) {
  return contained("session", [&]() -> result<LossAndGradients> {
    const StrictScope strict(*state_->device);
    const WatchScope part(state_->executor.watch(), "gradients");
    TENON_CHECK(state_->run(TraceKind::gradient, given));
    TENON_CHECK(state_->store_states());
    const auto places = state_->gradients();
    LossAndGradients out;
    for (const ParameterSpec& p : state_->program.parameters)
      out.gradients.emplace_back(static_cast<std::size_t>(known_elements(p.shape)), 0.0);
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::vector<double>& gradient = out.gradients[state_->trainable[i]];
      TENON_TRY(gradient, state_->read(places[i], gradient.size()));
    }
    TENON_TRY(out.loss, state_->read_loss());
    return out;
  });
}

}  // namespace tenon
