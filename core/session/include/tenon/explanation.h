// explanation.h: what a program does for known extents, and which capsule would serve each operation. Nothing runs, no
// kernel is prepared.
//
// Plain values; a Choice refers to the registry's plugins, which must outlive it.
#pragma once
#include <span>
#include <vector>

#include "tenon/graph.h"
#include "tenon/own_gradients.h"
#include "tenon/program.h"
#include "tenon/registry.h"
#include "tenon/resolved_graph.h"

namespace tenon {

struct RecordedProgram {
  Graph graph;  // its leaves: parameters, states, inputs, each list in order
  std::uint32_t result = 0;
};

/// The forward function for the extents of every input, in order. INVALID_ARGUMENT where the program has none, or has
/// another number of inputs; another error is the program's own.
TENON_API result<RecordedProgram> record_forward(const Program& program, std::span<const Shape> inputs);

/// The loss and its gradient for every parameter that requires one; errors as above. `own`: as a session's, see
/// own_gradients().
TENON_API result<RecordedProgram> record_training(const Program& program, std::span<const Shape> inputs,
                                                  const OwnGradient& own = {});

/// One operation whose operands have the shapes, with what is recorded before it (a broadcast). Its kinds are the
/// row's. SHAPE_MISMATCH in the operation's own words.
TENON_API result<RecordedProgram> record_operation(const OpSpec& row, std::span<const Shape> operands,
                                                   const Attributes& attributes, bool training);

struct ExplainedOperation {
  Node node;
  Request request;
  Choice choice;
};

/// One for each node, in order. An operation that nothing serves is no error: its choice says so.
TENON_API result<std::vector<ExplainedOperation>> explain(const Graph& graph, const Registry& registry,
                                                          Precision precision);

/// The same where there is no plugin to choose from: what one would be asked for.
TENON_API result<std::vector<ExplainedOperation>> explain(const Graph& graph, Precision precision);

}  // namespace tenon
