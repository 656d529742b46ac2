#include "trace.h"

#include <algorithm>

#include "program_leaves.h"
#include "tenon/own_gradients.h"

namespace tenon {
namespace {

std::vector<IndexBound> index_bounds(const Graph& graph, const LeafCounts& leaves) {
  std::vector<IndexBound> bounds;
  for (const Node& node : graph.nodes())
    for (std::size_t i = spec(node.op).reals.count; i < node.operand_count; ++i)
      if (const std::size_t natural = node.operand[i] - leaves.first_natural(); natural < leaves.naturals)
        bounds.push_back(bound_of(node.op, node.attributes, graph.types()[node.operand[0]].shape, i, natural));
  return bounds;
}

Role role_of(const Node& node) { return spec(node.op).role; }

/// A loss is one number; what is no loss may have any shape.
result<void> check_loss(const Program& program, const Shape& shape) {
  if (known_elements(shape) == 1) return {};
  return fail(Reason::SHAPE_MISMATCH, "[loss] of " + program.name + " " + to_string(shape) + ": expected one element");
}

/// One program being recorded, and what is known of it so far.
class Recording {
 public:
  Recording(const Program& program, TraceKind kind, std::span<const Shape> shapes, const OptimizerSpec* optimizer,
            OwnGradient own, const Resolver& resolver)
      : program_(program),
        kind_(kind),
        optimizer_(optimizer),
        own_(std::move(own)),
        resolver_(resolver),
        leaves_(add_leaves(graph_, program, shapes)) {
    counts_ = leaf_counts(program);
    graph_.set_training(trains(kind));
  }

  result<void> record() {
    TENON_TRY(result_, run_program());
    TENON_CHECK(check_state_updates(graph_.state_updates(), counts_));
    program_result_ = result_.id;
    program_nodes_ = graph_.nodes().size();
    if (kind_ != TraceKind::forward) TENON_CHECK(check_loss(program_, graph_.shape(result_)));
    const Value answer = result_;
    if (differentiates(kind_) || !graph_.state_updates().empty()) result_ = apart_from_leaves(answer);
    if (differentiates(kind_)) TENON_CHECK(differentiate_loss(answer));
    first_update_ = graph_.nodes().size();
    if (kind_ == TraceKind::step) add_updates();
    return graph_.status();
  }

  Trace finish(ResolvedGraph resolved, std::span<const Shape> shapes) const {
    std::vector<std::uint32_t> gradients;
    for (const Value gradient : gradients_) gradients.push_back(gradient.id);
    std::vector<IndexBound> bounds = index_bounds(resolved.graph(), counts_);
    const auto random = std::ranges::count(resolved.graph().nodes(), Role::random, role_of);
    return {.kind = kind_,
            .shapes = {shapes.begin(), shapes.end()},
            .resolved = std::move(resolved),
            .leaves = counts_,
            .program_nodes = program_nodes_,
            .first_update = first_update_,
            .first_moment = first_moment_,
            .program_result = program_result_,
            .result = result_.id,
            .gradients = std::move(gradients),
            .bounds = std::move(bounds),
            .random_nodes = static_cast<std::uint64_t>(random),
            .schedule = {},
            .owners = {},
            .lifetimes = {},
            .memory = {},
            .refs = {},
            .gradient_places = {}};
  }

  Graph take_graph() { return std::move(graph_); }

 private:
  result<Value> run_program() {
    const Value answer = kind_ == TraceKind::forward ? program_.forward(leaves_.of_forward(graph_, program_))
                                                     : program_.loss(leaves_.of_loss(graph_));
    if (auto status = graph_.status(); !status)
      return fail(recording_error(std::move(status).error(), program_, resolver_.executor.device(), resolver_.real));
    return answer;
  }

  result<void> differentiate_loss(Value loss) {
    std::vector<Value> wanted;
    for (const std::size_t i : trainable(program_)) wanted.push_back(leaves_.parameters[i]);
    TENON_TRY(gradients_, differentiate(loss, wanted, own_));
    return {};
  }

  /// Behind everything else, so that ids and the words that name them are those of the gradient's trace.
  void add_moments() {
    first_moment_ = graph_.types().size();
    for (const std::size_t i : trainable(program_))
      for (std::size_t k = 2; k < spec(optimizer_->op).operand_count(); ++k)
        moments_.push_back(graph_.leaf({Kind::real, program_.parameters[i].shape}));
  }

  void add_updates() {
    add_moments();
    const std::size_t moments = moments_.size() / std::max<std::size_t>(gradients_.size(), 1);
    const std::vector<std::size_t> updated = trainable(program_);
    for (std::size_t i = 0; i < updated.size(); ++i) {
      std::vector<Value> operands{leaves_.parameters[updated[i]], gradients_[i]};
      for (std::size_t k = 0; k < moments; ++k) operands.push_back(moments_[i * moments + k]);
      graph_.record(optimizer_->op, operands, optimizer_->attributes);
    }
  }

  const Program& program_;
  TraceKind kind_;
  const OptimizerSpec* optimizer_;
  OwnGradient own_;
  const Resolver& resolver_;
  Graph graph_;
  ProgramLeaves leaves_;
  LeafCounts counts_;
  std::vector<Value> moments_;
  Value result_;
  std::uint32_t program_result_ = 0;
  std::size_t program_nodes_ = 0, first_update_ = 0, first_moment_ = 0;
  std::vector<Value> gradients_;
};

/// What must last until the run is over.
std::vector<std::uint32_t> kept_values(const Trace& trace) {
  std::vector<std::uint32_t> kept{trace.result};
  if (trace.kind == TraceKind::gradient) kept.insert(kept.end(), trace.gradients.begin(), trace.gradients.end());
  for (const Graph::StateUpdate& update : trace.state_updates()) kept.push_back(update.value);
  for (std::size_t n = trace.first_update; n < trace.graph().nodes().size(); ++n)
    for (std::size_t i = 0; i < trace.resolved.step(n).output_count(); ++i)
      kept.push_back(trace.graph().nodes()[n].output + static_cast<std::uint32_t>(i));
  return kept;
}

/// Eager runs every node and keeps every value, since a program may yet ask for any of them.
void plan_memory(Trace& trace, const Resolver& resolver) {
  const bool compiled = resolver.backend == Backend::compiled;
  const std::vector<std::uint32_t> kept = kept_values(trace);
  trace.schedule = compiled ? live_nodes(trace.graph(), kept) : all_nodes(trace.graph());
  trace.owners = storage_owners(trace.resolved);
  trace.lifetimes = lifetimes(trace.resolved, trace.schedule, trace.owners, kept);
  trace.memory = compiled ? place_by_lifetime(trace.lifetimes, resolver.alignment_bytes)
                          : place_apart(trace.lifetimes, resolver.alignment_bytes);
}

}  // namespace

Error recording_error(Error error, const Program& program, const Device& device, DType real) {
  error.text += "\n  while the program of " + program.name + " was recorded on " + device.name() +
                ", real numbers as " + std::string(name(real));
  return error;
}

LeafCounts leaf_counts(const Program& program) {
  const auto reals = static_cast<std::size_t>(std::ranges::count(program.inputs, Kind::real, &InputSpec::kind));
  return {program.parameters.size(), program.states.size(), reals, program.inputs.size() - reals};
}

IndexBound bound_of(Op op, const Attributes& attributes, const Shape& indexed, std::size_t operand,
                    std::size_t natural) {
  const Extent axis = indexed_axis(attributes);
  const OpSpec& row = spec(op);
  Message where;
  where << "[" << row.name << "] " << row.operand(operand) << " index axis " << rule::AxisNumber{axis} << " of "
        << row.operand(0) << " " << indexed;
  return {natural, indexed[static_cast<int>(axis)], std::string(where.view())};
}

result<void> check_bound(const IndexBound& bound, std::span<const std::uint32_t> values) {
  const auto beyond = std::ranges::find_if(values, [&](std::uint32_t value) { return value >= bound.below; });
  if (beyond == values.end()) return {};
  return fail(Reason::INDEX_OUT_OF_RANGE, bound.where + ": found " + std::to_string(*beyond) + " at position " +
                                              std::to_string(beyond - values.begin()) + ", expected less than " +
                                              std::to_string(bound.below));
}

result<void> check_state_updates(std::span<const Graph::StateUpdate> updates, const LeafCounts& leaves) {
  for (const Graph::StateUpdate& update : updates)
    if (update.state < leaves.parameters || update.state >= leaves.first_real())
      return fail(Reason::INVALID_ARGUMENT, "[update_state] found value %" + std::to_string(update.state) +
                                                ", expected one that stands for a state of the program");
  return {};
}

result<Trace> make_trace(const Program& program, TraceKind kind, std::span<const Shape> shapes,
                         const OptimizerSpec* optimizer, const Resolver& resolver, Gaps& gaps) {
  Recording recording(program, kind, shapes, optimizer, own_gradients(resolver.cache.registry(), resolver.real),
                      resolver);
  TENON_CHECK(recording.record());
  TENON_TRY(ResolvedGraph resolved, ResolvedGraph::resolve(recording.take_graph(), resolver.cache, resolver.executor,
                                                           {resolver.real, mode_of(kind)}, gaps));
  Trace trace = recording.finish(std::move(resolved), shapes);
  if (gaps.empty()) plan_memory(trace, resolver);
  return trace;
}

void place_values(Trace& trace, std::span<const tenon_ref> leaves, std::span<const tenon_ref> moments,
                  tenon_ref memory) {
  trace.refs.assign(trace.graph().types().size(), tenon_ref{});
  std::ranges::copy(leaves, trace.refs.begin());
  std::ranges::copy(moments, trace.refs.begin() + static_cast<std::ptrdiff_t>(trace.first_moment));
  for (std::size_t i = 0; i < trace.lifetimes.size(); ++i)
    if (trace.lifetimes[i].bytes > 0)
      trace.refs[trace.lifetimes[i].owner] = {memory.memory, memory.offset_bytes + trace.memory.offset_bytes[i]};
  for (std::uint32_t value = 0; value < trace.refs.size(); ++value) trace.refs[value] = trace.refs[trace.owners[value]];
  for (const std::uint32_t n : trace.schedule) {
    const Node& node = trace.graph().nodes()[n];
    Step& step = trace.resolved.step(n);
    for (std::size_t i = 0; i < node.operand_count; ++i) step.set_operand(i, trace.refs[node.operand[i]]);
    for (std::size_t i = 0; i < step.output_count(); ++i) step.set_output(i, trace.refs[node.output + i]);
  }
  trace.gradient_places.clear();
  for (const std::uint32_t id : trace.gradients) trace.gradient_places.push_back(trace.refs[id]);
}

}  // namespace tenon
