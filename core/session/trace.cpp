#include "trace.h"

#include <algorithm>

#include "tenon/autograd.h"

namespace tenon {
namespace {

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}

struct Leaves {
  std::vector<Value> parameters, reals, naturals;
};

Leaves add_leaves(Graph& graph, const Program& program, std::uint64_t rows) {
  Leaves leaves;
  for (const ParameterSpec& p : program.parameters) leaves.parameters.push_back(graph.leaf({Kind::real, p.shape}));
  for (const InputSpec& input : program.inputs) {
    const Value leaf = graph.leaf({input.kind, with_rows(input.shape, rows)});
    (input.kind == Kind::real ? leaves.reals : leaves.naturals).push_back(leaf);
  }
  return leaves;
}

std::vector<Value> trainable(const Program& program, const std::vector<Value>& parameters) {
  std::vector<Value> wanted;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (program.parameters[i].requires_grad) wanted.push_back(parameters[i]);
  return wanted;
}

Error named(Error error, const Program& program) {
  error.text += "\n  while the program of " + program.name + " was recorded";
  return error;
}

/// Natural inputs are the last leaves; `first` is the id of the first one.
std::vector<IndexBound> index_bounds(const Graph& graph, std::uint32_t first, std::size_t count) {
  std::vector<IndexBound> bounds;
  for (const Node& node : graph.nodes())
    for (std::size_t i = spec(node.op).reals.count; i < node.operand_count; ++i)
      if (const std::size_t natural = node.operand[i] - first; natural < count)
        bounds.push_back(bound_of(node.op, node.attributes, graph.types()[node.operand[0]].shape, i, natural));
  return bounds;
}

/// A loss is one number; what is no loss may have any shape.
result<void> check_loss(const Program& program, const Shape& shape) {
  if (known_elements(shape) == 1) return {};
  return fail(Reason::SHAPE_MISMATCH, "[loss] of " + program.name + " " + to_string(shape) + ": expected one element");
}

/// What the program records, and for training its gradient. Answers the result.
result<Value> record(const Program& program, TraceKind kind, Graph& graph, const Leaves& leaves) {
  const bool forward = kind == TraceKind::forward;
  const ProgramArguments arguments{
      graph, leaves.parameters, std::span(leaves.reals).first(forward ? program.forward_reals : leaves.reals.size()),
      std::span(leaves.naturals).first(forward ? program.forward_naturals : leaves.naturals.size())};
  const Value result = forward ? program.forward(arguments) : program.loss(arguments);
  if (auto status = graph.status(); !status) return fail(named(std::move(status).error(), program));
  return result;
}

}  // namespace

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

Shape with_rows(Shape shape, std::uint64_t rows) {
  for (Extent& e : shape.extents())
    if (e == batch) e = static_cast<Extent>(rows);
  return shape;
}

result<Trace> make_trace(const Program& program, TraceKind kind, std::uint64_t rows, const Resolver& resolver,
                         Gaps& gaps) {
  Graph graph;
  const Leaves leaves = add_leaves(graph, program, rows);
  TENON_TRY(const Value result, record(program, kind, graph, leaves));
  if (kind != TraceKind::forward) TENON_CHECK(check_loss(program, graph.shape(result)));
  const std::size_t program_nodes = graph.nodes().size();
  std::vector<std::uint32_t> gradients;
  if (kind == TraceKind::training) {
    TENON_TRY(const std::vector<Value> found, differentiate(result, trainable(program, leaves.parameters)));
    for (const Value gradient : found) gradients.push_back(gradient.id);
  }
  const auto first_natural = static_cast<std::uint32_t>(leaves.parameters.size() + leaves.reals.size());
  std::vector<IndexBound> bounds = index_bounds(graph, first_natural, leaves.naturals.size());
  const Precision precision{resolver.real,
                            kind == TraceKind::training ? GradientMode::training : GradientMode::evaluation};
  TENON_TRY(ResolvedGraph resolved,
            ResolvedGraph::resolve(std::move(graph), resolver.cache, resolver.executor, precision, gaps));
  Trace trace{.resolved = std::move(resolved),
              .kind = kind,
              .rows = rows,
              .first_natural = first_natural,
              .program_nodes = program_nodes,
              .result = result.id,
              .gradients = std::move(gradients),
              .gradient_places = {},
              .bounds = std::move(bounds),
              .refs = {}};
  for (std::size_t i = 0; gaps.empty() && i < trace.resolved.size(); ++i)
    for (std::size_t output = 0; output < trace.resolved.step(i).output_count(); ++output)
      trace.bytes += aligned(trace.resolved.step(i).output_bytes(output), resolver.alignment_bytes);
  return trace;
}

void place_values(Trace& trace, std::span<const tenon_ref> leaves, tenon_ref memory, std::uint64_t alignment_bytes) {
  trace.refs.assign(trace.graph().types().size(), tenon_ref{});
  std::ranges::copy(leaves, trace.refs.begin());
  std::uint64_t offset = memory.offset_bytes;
  for (std::size_t n = 0; n < trace.resolved.size(); ++n) {
    const Node& node = trace.graph().nodes()[n];
    Step& step = trace.resolved.step(n);
    for (std::size_t i = 0; i < node.operand_count; ++i) step.set_operand(i, trace.refs[node.operand[i]]);
    for (std::size_t i = 0; i < step.output_count(); ++i) {
      const bool shared = shares_storage(node.op) && step.kernel().in_place(i);
      const bool empty = step.output_bytes(i) == 0;
      const tenon_ref place = shared  ? trace.refs[node.operand[0]]
                              : empty ? tenon_ref{}
                                      : tenon_ref{memory.memory, offset};
      if (!shared) offset += aligned(step.output_bytes(i), alignment_bytes);
      step.set_output(i, place);
      trace.refs[node.output + i] = place;
    }
  }
  trace.gradient_places.clear();
  for (const std::uint32_t id : trace.gradients) trace.gradient_places.push_back(trace.refs[id]);
}

}  // namespace tenon
