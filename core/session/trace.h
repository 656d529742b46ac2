// trace.h: what a program does for inputs of certain shapes, recorded and resolved before it first runs.
//
// The eager recorder follows a trace: as long as the program records what the trace foresees, an operation is one
// comparison and one launch. The compiled backend runs a trace without the program. Every argument block is bound to
// its memory beforehand. Owned by a session.
#pragma once
#include "tenon/memory_plan.h"
#include "tenon/session.h"

namespace tenon {

/// What is recorded: the loss with its gradient, that with the optimizer's update, the loss as in training without its
/// gradient, the loss for evaluation, the forward program.
enum class TraceKind : std::uint8_t { gradient, step, training_loss, loss, forward };

/// Does the program see itself in training?
constexpr bool trains(TraceKind kind) { return kind <= TraceKind::training_loss; }
constexpr bool differentiates(TraceKind kind) { return kind <= TraceKind::step; }
constexpr GradientMode mode_of(TraceKind kind) {
  return differentiates(kind) ? GradientMode::training : GradientMode::evaluation;
}

/// The bound on a natural input that an operation puts on it.
struct IndexBound {
  std::size_t natural;  // which natural input
  Extent below;
  std::string where;  // "[cross_entropy] labels index axis -1 of logits (32, 10)"
};

/// The bound that `op` puts on its natural operand, which indexes an axis of a tensor of shape `indexed`.
IndexBound bound_of(Op op, const Attributes& attributes, const Shape& indexed, std::size_t operand,
                    std::size_t natural);

/// INDEX_OUT_OF_RANGE with the first value that is too large.
result<void> check_bound(const IndexBound& bound, std::span<const std::uint32_t> values);

/// Which leaves a program has, in the order of their ids.
struct LeafCounts {
  std::size_t parameters = 0, states = 0, reals = 0, naturals = 0;
  std::size_t first_real() const { return parameters + states; }
  std::size_t first_natural() const { return first_real() + reals; }
  std::size_t all() const { return first_natural() + naturals; }
};

LeafCounts leaf_counts(const Program& program);

struct Trace {
  TraceKind kind;
  std::vector<Shape> shapes;  // of the inputs
  ResolvedGraph resolved;
  LeafCounts leaves;
  std::size_t program_nodes = 0;         // the first ones are the program's own
  std::size_t first_update = 0;          // of a step: the last nodes are the updates
  std::size_t first_moment = 0;          // of a step: the id of the first leaf that stands for an optimizer's moment
  std::uint32_t program_result = 0;      // what the program answers
  std::uint32_t result = 0;              // what is read when it has run: no leaf, which an update could have changed
  std::vector<std::uint32_t> gradients;  // of the parameters that require one
  std::vector<IndexBound> bounds;
  std::uint64_t random_nodes = 0;

  std::vector<std::uint32_t> schedule;  // the nodes that run, in order
  std::vector<std::uint32_t> owners;    // by value: whose storage it has
  std::vector<Lifetime> lifetimes;
  MemoryPlan memory;

  std::uint64_t bound_to = 0;   // generation of the memory that the steps point to; 0: none yet
  std::vector<tenon_ref> refs;  // by value: where it lies
  std::vector<tenon_ref> gradient_places;

  const Graph& graph() const { return resolved.graph(); }
  const Shape& result_shape() const { return graph().types()[result].shape; }
  std::span<const Graph::StateUpdate> state_updates() const { return graph().state_updates(); }
};

/// Only leaves that stand for states may be updated.
result<void> check_state_updates(std::span<const Graph::StateUpdate> updates, const LeafCounts& leaves);

/// The error of an operation, with what it was recorded for: where its operands lie, and in which dtype.
Error recording_error(Error error, const Program& program, const Device& device, DType real);

/// What recording and resolving need.
struct Resolver {
  KernelCache& cache;
  Executor& executor;
  DType real;
  std::uint64_t alignment_bytes;
  Backend backend;
};

/// Records `kind` of the program for inputs of `shapes`, differentiates it, appends the updates of a step
/// (`optimizer`), and resolves every node. Operations without a capsule go to `gaps`; the trace is then not to be run.
result<Trace> make_trace(const Program& program, TraceKind kind, std::span<const Shape> shapes,
                         const OptimizerSpec* optimizer, const Resolver& resolver, Gaps& gaps);

/// Points every step at its operands and outputs: `leaves` and a step's `moments` in order, and places in `memory`.
void place_values(Trace& trace, std::span<const tenon_ref> leaves, std::span<const tenon_ref> moments,
                  tenon_ref memory);

}  // namespace tenon
