// trace.h: what a program does for one batch size, recorded and resolved before it first runs.
//
// The eager recorder follows a trace: as long as the program records what the trace foresees, an operation is one
// comparison and one launch. Every argument block is bound to its memory beforehand. Owned by a session.
#pragma once
#include "tenon/program.h"
#include "tenon/resolved_graph.h"

namespace tenon {

enum class TraceKind : std::uint8_t { training, loss, forward };

/// The bound on a natural input that an operation puts on it.
struct IndexBound {
  std::size_t natural;  // which natural input
  Extent below;
  std::string where;  // "[cross_entropy] labels index axis -1 of logits (32, 10)"
};

struct Trace {
  ResolvedGraph resolved;
  TraceKind kind;
  std::uint64_t rows = 0;
  std::uint32_t first_natural = 0;       // id of the first natural input, the last kind of leaf
  std::size_t program_nodes = 0;         // the first ones are the program's own, the rest its gradient
  std::uint32_t result = 0;              // the loss, or the forward output
  std::vector<std::uint32_t> gradients;  // of the parameters that require one
  std::vector<tenon_ref> gradient_places;
  std::vector<IndexBound> bounds;
  std::uint64_t bytes = 0;      // for all values that nodes make
  std::uint64_t bound_to = 0;   // generation of the memory that the steps point to; 0: none yet
  std::vector<tenon_ref> refs;  // where each value lies

  const Graph& graph() const { return resolved.graph(); }
};

/// The bound that `op` puts on its natural operand, which indexes an axis of a tensor of shape `indexed`.
IndexBound bound_of(Op op, const Attributes& attributes, const Shape& indexed, std::size_t operand,
                    std::size_t natural);

/// INDEX_OUT_OF_RANGE with the first value that is too large.
result<void> check_bound(const IndexBound& bound, std::span<const std::uint32_t> values);

/// What recording and resolving need.
struct Resolver {
  KernelCache& cache;
  Executor& executor;
  DType real;
  std::uint64_t alignment_bytes;
};

/// The extents of an input for a batch of `rows`.
Shape with_rows(Shape shape, std::uint64_t rows);

/// Records `kind` of the program on a graph, differentiates if it is for training, and resolves every node. Operations
/// without a capsule go to `gaps`; the trace is then not to be run.
result<Trace> make_trace(const Program& program, TraceKind kind, std::uint64_t rows, const Resolver& resolver,
                         Gaps& gaps);

/// Points every step at its operands and outputs: `leaves` in order, then places in `memory` one after the other.
void place_values(Trace& trace, std::span<const tenon_ref> leaves, tenon_ref memory, std::uint64_t alignment_bytes);

}  // namespace tenon
