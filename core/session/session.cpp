#include "tenon/session.h"

#include <algorithm>

#include "optimizer_state.h"
#include "session_state.h"
#include "strict_scope.h"
#include "tenon/contain.h"

namespace tenon {
namespace {

result<void> check(const Program& program) {
  for (const ParameterSpec& p : program.parameters)
    if (!is_static(p.shape) || !checked_elements(p.shape))
      return fail(Reason::INVALID_ARGUMENT, "[session] parameter " + p.name + " " + to_string(p.shape) +
                                                ": expected known extents and a size that fits memory");
  if (!std::ranges::is_sorted(program.inputs, {}, &InputSpec::kind))
    return fail(Reason::INVALID_ARGUMENT, "[session] inputs of " + program.name + ": expected the real ones first");
  return {};
}

result<void> check_initial(const SourceInit& init, const ParameterSpec& parameter) {
  Message why;
  const Shape shape = infer(init.op, {}, init.attributes, why);
  if (!why.empty()) return fail(Reason::INVALID_ARGUMENT, std::string(why.view()));
  if (shape == parameter.shape) return {};
  return fail(Reason::INVALID_ARGUMENT, "[session] initial value of " + parameter.name + ": found " + to_string(shape) +
                                            ", expected " + to_string(parameter.shape));
}

result<void> check_sizes(const Program& program, std::span<const std::vector<std::byte>> values,
                         std::span<const std::uint64_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (values[i].size() != expected[i])
      return fail(Reason::INVALID_ARGUMENT, "[session] parameter " + program.parameters[i].name + ": found " +
                                                std::to_string(values[i].size()) + " bytes, expected " +
                                                std::to_string(expected[i]));
  return {};
}

result<void> check_length(const Program& program, std::size_t found, std::string_view what) {
  const std::size_t expected = program.parameters.size();
  if (found == expected) return {};
  return fail(Reason::INVALID_ARGUMENT, "[session] found " + std::to_string(found) + " " + std::string(what) +
                                            ", expected " + std::to_string(expected) + ", one for each parameter of " +
                                            program.name);
}

}  // namespace

Session::Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const Program& Session::program() const { return state_->program; }
Device& Session::device() const { return *state_->device; }

result<Session> Session::create(Registry registry, Program program, const SessionOptions& options) {
  return contained("session", [&]() -> result<Session> {
    const StrictScope strict;  // rules and kernels compute constants now
    TENON_CHECK(check(program));
    auto state = std::make_unique<SessionState>(std::move(registry), std::move(program), options);
    TENON_CHECK(state->resolve_announced(options));
    TENON_TRY(auto parameters, allocate_all(state->device, state->parameter_bytes()));
    for (const Buffer& parameter : parameters) TENON_CHECK(fill_zero(*state->device, parameter));
    state->commit(std::move(parameters));
    return Session(std::move(state));
  });
}

result<void> Session::initialise(std::span<const SourceInit> inits) {
  return contained("session", [&]() -> result<void> {
    const StrictScope strict;
    TENON_CHECK(check_length(state_->program, inits.size(), "initial values"));
    Gaps gaps;
    for (std::size_t i = 0; i < inits.size(); ++i) {
      TENON_CHECK(check_initial(inits[i], state_->program.parameters[i]));
      TENON_CHECK(state_->add_gap(initial_request(inits[i], state_->real), "initial values", gaps));
    }
    if (!gaps.empty()) return fail(gaps.error(*state_->device));
    std::deque<Step> steps;
    for (const SourceInit& init : inits) {
      TENON_TRY(auto kernel, state_->cache.get(initial_request(init, state_->real)));
      Step& step = steps.emplace_back(std::move(kernel));
      step.set_scalar(0, Scalar{.u = init.key});
      TENON_CHECK(state_->executor.admit(step));
    }
    TENON_TRY(auto buffers, allocate_all(state_->device, state_->parameter_bytes()));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].set_output(0, buffers[i].ref());
      if (!state_->executor.run(steps[i])) return fail(state_->executor.error(steps[i]));
    }
    TENON_CHECK(state_->device->synchronize());
    state_->commit(std::move(buffers));
    return {};
  });
}

result<std::vector<std::vector<std::byte>>> Session::read_parameters() {
  return contained("session", [&]() -> result<std::vector<std::vector<std::byte>>> {
    std::vector<std::vector<std::byte>> values;
    for (const Buffer& parameter : state_->parameters) {
      std::vector<std::byte> bytes(parameter.bytes());
      TENON_CHECK(state_->device->read(bytes, parameter.ref()));
      values.push_back(std::move(bytes));
    }
    return values;
  });
}

result<void> Session::set_parameters(std::span<const std::vector<std::byte>> values) {
  return contained("session", [&]() -> result<void> {
    TENON_CHECK(check_length(state_->program, values.size(), "parameter values"));
    const std::vector<std::uint64_t> sizes = state_->parameter_bytes();
    TENON_CHECK(check_sizes(state_->program, values, sizes));
    TENON_TRY(auto buffers, allocate_all(state_->device, sizes));
    for (std::size_t i = 0; i < values.size(); ++i) TENON_CHECK(state_->device->write(buffers[i].ref(), values[i]));
    state_->commit(std::move(buffers));
    return {};
  });
}

result<Optimizer> Session::init_optim(const OptimizerSpec& spec) {
  return contained("session", [&]() -> result<Optimizer> {
    const StrictScope strict;
    TENON_TRY(auto state, OptimizerState::make(*state_, spec));
    return Optimizer(std::move(state));
  });
}

result<double> Session::train_step(const Batch& given, Optimizer& optimizer, double rate) {
  return contained("session", [&]() -> result<double> {
    const StrictScope strict;
    TENON_CHECK(state_->run(TraceKind::training, given));
    TENON_TRY(const auto gradients, state_->gradients());
    TENON_CHECK(optimizer.state_->apply(*state_, gradients, rate));
    return state_->read_loss();
  });
}

result<double> Session::loss(const Batch& given) {
  return contained("session", [&]() -> result<double> {
    const StrictScope strict;
    TENON_CHECK(state_->run(TraceKind::loss, given));
    return state_->read_loss();
  });
}

result<std::vector<double>> Session::evaluate(const Batch& given) {
  return contained("session", [&]() -> result<std::vector<double>> {
    const StrictScope strict;
    TENON_CHECK(state_->run(TraceKind::forward, given));
    return state_->read_result();
  });
}

result<std::vector<std::vector<double>>> Session::gradients(const Batch& given) {
  return contained("session", [&]() -> result<std::vector<std::vector<double>>> {
    const StrictScope strict;
    TENON_CHECK(state_->run(TraceKind::training, given));
    TENON_TRY(const auto places, state_->gradients());
    std::vector<std::vector<double>> gradients;
    for (const ParameterSpec& p : state_->program.parameters)
      gradients.emplace_back(static_cast<std::size_t>(known_elements(p.shape)), 0.0);
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::vector<double>& gradient = gradients[state_->trainable[i]];
      TENON_TRY(gradient, state_->read(places[i], gradient.size()));
    }
    return gradients;
  });
}

}  // namespace tenon
