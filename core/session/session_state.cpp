#include "session_state.h"

#include <algorithm>

#include "compiled_run.h"
#include "optimizer_state.h"
#include "program_leaves.h"
#include "strict_scope.h"
#include "tenon/own_gradients.h"

namespace tenon {
namespace {

/// Shapes of inputs that a session keeps its plans for: sentences may have any length.
constexpr std::size_t most_traces = 256;

}  // namespace

Request update_request(const OptimizerSpec& optimizer, const Shape& shape, DType real) {
  const OpSpec& row = spec(optimizer.op);
  const TensorType type{real, shape};
  return {optimizer.op, optimizer.attributes, std::vector<TensorType>(row.operand_count(), type),
          std::vector<TensorType>(row.output_count(), type), GradientMode::training};
}

Request initial_request(const SourceInit& init, DType real) {
  Message why;
  const Shape shape = infer(init.op, {}, init.attributes, why);
  return request_of(init.op, {}, shape, init.attributes, {real, GradientMode::evaluation});
}

SessionState::SessionState(Registry registry, Program program_, const SessionOptions& options)
    : device(registry.device()),
      program(std::move(program_)),
      real(options.real),
      alignment_bytes(device->facts().alignment_bytes()),
      backend(options.backend),
      cache(std::move(registry)),
      executor(device, options.watch),
      draws{options.seed, 0},
      recorder(cache, executor, real, draws),
      inputs(device, program, real),
      trainable(tenon::trainable(program)) {
  for (std::uint32_t id = 0; id < leaf_counts(program).all(); ++id) leaves_.push_back({&recorder, id});
}

result<void> SessionState::resolve_announced(const SessionOptions& options) {
  if (options.optimizer) TENON_CHECK(check_update(*options.optimizer));
  Gaps gaps;
  const auto resolve = [&](TraceKind kind, const std::vector<std::uint64_t>& sizes) -> result<void> {
    for (const std::uint64_t rows : sizes) {
      const auto shapes = InputShapes::announced(program, rows);
      if (!shapes || is_known_trace(kind, *shapes)) continue;
      TENON_TRY(Trace made, make_trace(program, kind, *shapes, nullptr, resolver(), gaps));
      entries_.push_back({std::move(made), std::nullopt});
    }
    return {};
  };
  if (options.mode == GradientMode::training && program.loss) {
    TENON_CHECK(resolve(TraceKind::gradient, options.training_batches));
    TENON_CHECK(resolve(TraceKind::loss, options.evaluation_batches));
  }
  if (program.forward) TENON_CHECK(resolve(TraceKind::forward, options.evaluation_batches));
  for (const SourceInit& init : options.initial_values)
    TENON_CHECK(add_gap(initial_request(init, real), "initial values", gaps));
  for (std::size_t i = 0; options.optimizer && i < trainable.size(); ++i) {
    const ParameterSpec& parameter = program.parameters[trainable[i]];
    TENON_CHECK(
        add_gap(update_request(*options.optimizer, parameter.shape, real), "update of " + parameter.name, gaps));
  }
  if (!gaps.empty()) return fail(gaps.error(*device));
  return {};
}

result<void> SessionState::add_gap(const Request& request, const std::string& place, Gaps& gaps) {
  auto kernel = cache.get(request);
  if (kernel) return {};
  if (kernel.error().reason != Reason::NO_CAPSULE) return fail(std::move(kernel).error());
  gaps.add(std::move(kernel).error().text, place);
  return {};
}

bool SessionState::is_known_trace(TraceKind kind, std::span<const Shape> shapes) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.trace.kind == kind && std::ranges::equal(entry.trace.shapes, shapes);
  });
}

result<SessionState::Entry*> SessionState::find_or_make(TraceKind kind, std::span<const Shape> shapes,
                                                        const OptimizerSpec* optimizer) {
  const auto fits = [&](const Entry& entry) {
    return entry.trace.kind == kind && std::ranges::equal(entry.trace.shapes, shapes) &&
           (optimizer == nullptr || *entry.optimizer == *optimizer);
  };
  if (const auto known = std::ranges::find_if(entries_, fits); known != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, known);
    return &entries_.front();
  }
  Gaps gaps;
  TENON_TRY(Trace made, make_trace(program, kind, shapes, optimizer, resolver(), gaps));
  if (!gaps.empty()) return fail(gaps.error(*device));
  if (entries_.size() >= most_traces) {
    TENON_CHECK(device->synchronize());  // kernels in flight must not be released
    if (&entries_.back().trace == last_) last_ = nullptr;
    entries_.pop_back();
  }
  entries_.push_front({std::move(made), optimizer == nullptr ? std::nullopt : std::optional(*optimizer)});
  return &entries_.front();
}

/// A program may be one that is only evaluated, or only trained.
result<void> SessionState::check_has(TraceKind kind) const {
  return kind == TraceKind::forward ? check_has_forward(program) : check_has_loss(program);
}

result<SessionState::Entry*> SessionState::prepare(TraceKind kind, const Batch& given,
                                                   const OptimizerState* optimizer) {
  TENON_CHECK(check_has(kind));
  TENON_TRY(const auto shapes, input_shapes_.bind(program, kind == TraceKind::forward, given));
  TENON_TRY(Entry* const entry, find_or_make(kind, shapes, optimizer == nullptr ? nullptr : &optimizer->chosen));
  TENON_CHECK(inputs.check(given, entry->trace));
  TENON_CHECK(make_room(entry->trace));
  TENON_CHECK(inputs.upload(given, entry->trace));
  bind_if_moved(*entry, optimizer);
  last_ = &entry->trace;
  return entry;
}

result<void> SessionState::make_room(const Trace& trace) {
  TENON_CHECK(inputs.reserve(trace, generation_));
  if (trace.memory.bytes <= values_.bytes()) return {};
  values_ = Buffer();  // before the new one is asked for: both may not fit
  ++generation_;
  TENON_TRY(values_, Buffer::allocate(device, trace.memory.bytes));
  return {};
}

void SessionState::bind_if_moved(Entry& entry, const OptimizerState* optimizer) {
  const std::uint64_t optimizer_id = optimizer == nullptr ? 0 : optimizer->id;
  if (entry.trace.bound_to == generation_ && entry.bound_optimizer == optimizer_id) return;
  std::vector<tenon_ref> leaves, moments;
  for (const Buffer& parameter : parameters) leaves.push_back(parameter.ref());
  for (const Buffer& state : states) leaves.push_back(state.ref());
  for (const Buffer& input : inputs.buffers()) leaves.push_back(input.ref());
  if (optimizer != nullptr)
    for (const OptimizerState::Update& update : optimizer->updates)
      for (const Buffer& moment : update.moments) moments.push_back(moment.ref());
  place_values(entry.trace, leaves, moments, values_.ref());
  entry.trace.bound_to = generation_;
  entry.bound_optimizer = optimizer_id;
}

ProgramArguments SessionState::arguments(const Trace& trace) {
  const LeafCounts& counts = trace.leaves;
  const bool forward = trace.kind == TraceKind::forward;
  const std::span<const Value> leaves(leaves_);
  return {recorder, leaves.first(counts.parameters),
          leaves.subspan(counts.first_real(), forward ? program.forward_reals : counts.reals),
          leaves.subspan(counts.first_natural(), forward ? program.forward_naturals : counts.naturals),
          leaves.subspan(counts.parameters, counts.states)};
}

/// A mistake of the program is told as where it was first recorded; a kernel's failure says itself where it happened.
Error SessionState::eager_error(Error error) const {
  const bool is_the_programs = error.reason == Reason::SHAPE_MISMATCH || error.reason == Reason::INVALID_ARGUMENT;
  return is_the_programs ? recording_error(std::move(error), program, *device, real) : error;
}

result<void> SessionState::run_eagerly(Trace& trace, const Batch& given) {
  recorder.begin(trace, given.naturals);
  WatchScope part(executor.watch(), "forward");
  result_ = trace.kind == TraceKind::forward ? program.forward(arguments(trace)) : program.loss(arguments(trace));
  if (auto status = recorder.status(); !status) return fail(eager_error(std::move(status).error()));
  left_trace_ = !recorder.followed_to(trace.program_nodes) || result_.id != trace.program_result;
  if (differentiates(trace.kind)) part.next("gradient");
  if (left_trace_) return finish_unforeseen(trace.kind);
  recorder.replay_rest();
  result_.id = trace.result;
  return recorder.status();
}

/// What the rest of the trace would have done: before any state or parameter is written.
result<void> SessionState::finish_unforeseen(TraceKind kind) {
  TENON_CHECK(check_state_updates(recorder.state_updates(), leaf_counts(program)));
  const Value answer = result_;
  if (differentiates(kind) || !recorder.state_updates().empty()) result_ = apart_from_leaves(answer);
  gradient_places_.clear();
  if (!differentiates(kind)) return recorder.status();
  std::vector<Value> wanted;
  for (const std::size_t i : trainable) wanted.push_back(leaves_[i]);
  TENON_TRY(const std::vector<Value> found, differentiate(answer, wanted, own_gradients(cache.registry(), real)));
  for (const Value gradient : found) gradient_places_.push_back(recorder.ref(gradient));
  return {};
}

result<void> SessionState::resolve(TraceKind kind, const Batch& given, const OptimizerState* optimizer) {
  TENON_CHECK(check_has(kind));
  TENON_TRY(const auto shapes, input_shapes_.bind(program, kind == TraceKind::forward, given));
  TENON_CHECK(find_or_make(kind, shapes, optimizer == nullptr ? nullptr : &optimizer->chosen));
  return {};
}

result<void> SessionState::run(TraceKind kind, const Batch& given) {
  TENON_TRY(Entry* const entry, prepare(kind, given, nullptr));
  Trace& trace = entry->trace;
  left_trace_ = false;
  if (backend == Backend::compiled)
    TENON_CHECK((CompiledRun{.trace = trace, .executor = executor, .draws = draws}.run()));
  else
    TENON_CHECK(run_eagerly(trace, given));
  result_shape_ = backend == Backend::compiled ? trace.result_shape() : recorder.shape(result_);
  return {};
}

result<void> SessionState::run_step(const Batch& given, OptimizerState& optimizer, double rate) {
  TENON_TRY(Entry* const entry, prepare(TraceKind::step, given, &optimizer));
  CompiledRun run{entry->trace, executor, draws, rate, optimizer.steps + 1};
  TENON_CHECK(run.run());
  ++optimizer.steps;
  result_shape_ = entry->trace.result_shape();
  TENON_CHECK(store_updates(entry->trace));
  return store_states();
}

result<void> SessionState::copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  return device->copy(to, from, bytes);
}

result<void> SessionState::store_states() {
  const bool eager = backend == Backend::eager;
  for (const Graph::StateUpdate& update : eager ? recorder.state_updates() : last_->state_updates()) {
    const Buffer& state = states[update.state - last_->leaves.parameters];
    TENON_CHECK(
        copy(state.ref(), eager ? recorder.ref({&recorder, update.value}) : last_->refs[update.value], state.bytes()));
  }
  return {};
}

/// What a kernel would not write in place goes to its place now.
result<void> SessionState::store_updates(const Trace& trace) {
  for (std::size_t n = trace.first_update; n < trace.graph().nodes().size(); ++n) {
    const Node& node = trace.graph().nodes()[n];
    const Step& step = trace.resolved.step(n);
    for (std::size_t i = 0; i < step.output_count(); ++i)
      if (!step.kernel().in_place(i))
        TENON_CHECK(copy(step.operand(spec(node.op).updated_operand(i)), step.output(i), step.output_bytes(i)));
  }
  return {};
}

result<std::vector<double>> SessionState::read(tenon_ref ref, std::uint64_t elements) {
  std::vector<std::byte> bytes(elements * size_bytes(real));
  TENON_CHECK(device->read(bytes, ref));
  const StrictScope strict(*device);  // a kernel may have turned on flush-to-zero
  return load_reals(bytes, real);
}

tenon_ref SessionState::result_ref() const {
  return backend == Backend::compiled ? last_->refs[last_->result] : recorder.ref(result_);
}

result<std::vector<double>> SessionState::read_result() {
  return read(result_ref(), static_cast<std::uint64_t>(known_elements(result_shape_)));
}

result<double> SessionState::read_loss() {
  std::array<std::byte, sizeof(double)> bytes{};
  const std::span<std::byte> used = std::span(bytes).first(size_bytes(real));
  TENON_CHECK(device->read(used, result_ref()));
  const StrictScope strict(*device);
  return load_real(used, real);
}

std::vector<std::uint64_t> SessionState::parameter_bytes() const {
  std::vector<std::uint64_t> bytes;
  for (const ParameterSpec& p : program.parameters) bytes.push_back(bytes_of(p.shape, real));
  return bytes;
}

std::vector<std::uint64_t> SessionState::state_bytes() const {
  std::vector<std::uint64_t> bytes;
  for (const StateSpec& s : program.states) bytes.push_back(bytes_of(s.shape, real));
  return bytes;
}

void SessionState::commit(std::vector<Buffer> new_parameters) {
  parameters = std::move(new_parameters);
  ++generation_;
}

void SessionState::commit_states(std::vector<Buffer> new_states) {
  states = std::move(new_states);
  ++generation_;
}

}  // namespace tenon
