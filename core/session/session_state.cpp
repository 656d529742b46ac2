#include "session_state.h"

#include <algorithm>

#include "tenon/autograd.h"

namespace tenon {
namespace {

std::uint64_t alignment_of(const DeviceFacts& facts) {
  return std::max<std::uint64_t>({64, facts.base_alignment_bytes, facts.offset_alignment_bytes});
}

std::vector<std::size_t> trainable_of(const Program& program) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (program.parameters[i].requires_grad) indices.push_back(i);
  return indices;
}

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
      alignment_bytes(alignment_of(device->facts())),
      cache(std::move(registry)),
      executor(device, options.report),
      recorder(cache, executor, real, options.seed),
      inputs(device, program, real),
      trainable(trainable_of(program)) {
  for (std::uint32_t id = 0; id < program.parameters.size() + program.inputs.size(); ++id)
    leaves_.push_back({&recorder, id});
}

result<void> SessionState::resolve_announced(const SessionOptions& options) {
  Gaps gaps;
  const auto resolve = [&](TraceKind kind, const std::vector<std::uint64_t>& sizes) -> result<void> {
    for (const std::uint64_t rows : sizes) {
      if (traces_.contains({kind, rows})) continue;
      TENON_TRY(Trace made, make_trace(program, kind, rows, resolver(), gaps));
      traces_.emplace(std::pair(kind, rows), std::move(made));
    }
    return {};
  };
  if (options.mode == GradientMode::training) {
    TENON_CHECK(resolve(TraceKind::training, options.training_batches));
    TENON_CHECK(resolve(TraceKind::loss, options.evaluation_batches));
  }
  TENON_CHECK(resolve(TraceKind::forward, options.evaluation_batches));
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

result<Trace*> SessionState::trace(TraceKind kind, std::uint64_t rows) {
  if (const auto known = traces_.find({kind, rows}); known != traces_.end()) return &known->second;
  Gaps gaps;
  TENON_TRY(Trace made, make_trace(program, kind, rows, resolver(), gaps));
  if (!gaps.empty()) return fail(gaps.error(*device));
  return &traces_.emplace(std::pair(kind, rows), std::move(made)).first->second;
}

result<void> SessionState::make_room(const Trace& trace) {
  TENON_TRY(const bool moved, inputs.reserve(trace.rows));
  if (moved) ++generation_;
  if (trace.bytes <= values_.bytes()) return {};
  TENON_CHECK(device->synchronize());
  TENON_TRY(values_, Buffer::allocate(device, trace.bytes));
  ++generation_;
  return {};
}

void SessionState::bind_if_moved(Trace& trace) {
  if (trace.bound_to == generation_) return;
  std::vector<tenon_ref> leaves;
  for (const Buffer& parameter : parameters) leaves.push_back(parameter.ref());
  for (const Buffer& input : inputs.buffers()) leaves.push_back(input.ref());
  place_values(trace, leaves, values_.ref(), alignment_bytes);
  trace.bound_to = generation_;
}

ProgramArguments SessionState::arguments(const Trace& trace) {
  const bool forward = trace.kind == TraceKind::forward;
  const std::size_t reals = static_cast<std::size_t>(std::ranges::count(program.inputs, Kind::real, &InputSpec::kind));
  const std::span<const Value> leaves(leaves_);
  const std::span<const Value> real_inputs = leaves.subspan(program.parameters.size(), reals);
  const std::span<const Value> naturals = leaves.subspan(program.parameters.size() + reals);
  return {recorder, leaves.first(program.parameters.size()),
          forward ? real_inputs.first(program.forward_reals) : real_inputs,
          forward ? naturals.first(program.forward_naturals) : naturals};
}

result<void> SessionState::run(TraceKind kind, const Batch& given) {
  TENON_TRY(Trace * found, trace(kind, given.rows));
  TENON_CHECK(make_room(*found));
  TENON_CHECK(inputs.upload(given, *found));
  bind_if_moved(*found);
  recorder.begin(*found, given.naturals);
  last_ = found;
  result_ = kind == TraceKind::forward ? program.forward(arguments(*found)) : program.loss(arguments(*found));
  if (recorder.followed_to(found->program_nodes) && result_.id == found->result) recorder.replay_rest();
  return recorder.status();
}

result<std::span<const tenon_ref>> SessionState::gradients() {
  if (recorder.followed_to(last_->resolved.size())) return last_->gradient_places;
  std::vector<Value> wanted;
  for (const std::size_t i : trainable) wanted.push_back(leaves_[i]);
  TENON_TRY(const std::vector<Value> found, differentiate(result_, wanted));
  gradient_places_.clear();
  for (const Value gradient : found) gradient_places_.push_back(recorder.ref(gradient));
  return gradient_places_;
}

result<std::vector<double>> SessionState::read(tenon_ref ref, std::uint64_t elements) {
  std::vector<std::byte> bytes(elements * size_bytes(real));
  TENON_CHECK(device->read(bytes, ref));
  return load_reals(bytes, real);
}

result<std::vector<double>> SessionState::read_result() {
  return read(recorder.ref(result_), static_cast<std::uint64_t>(known_elements(recorder.shape(result_))));
}

result<double> SessionState::read_loss() {
  std::array<std::byte, sizeof(double)> bytes{};
  const std::span<std::byte> used = std::span(bytes).first(size_bytes(real));
  TENON_CHECK(device->read(used, recorder.ref(result_)));
  return load_real(used, real);
}

std::vector<std::uint64_t> SessionState::parameter_bytes() const {
  std::vector<std::uint64_t> bytes;
  for (const ParameterSpec& p : program.parameters) bytes.push_back(bytes_of(p.shape, real));
  return bytes;
}

void SessionState::commit(std::vector<Buffer> buffers) {
  parameters = std::move(buffers);
  ++generation_;
}

}  // namespace tenon
