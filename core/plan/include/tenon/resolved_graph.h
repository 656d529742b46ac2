// resolved_graph.h: a graph with a prepared step for every node: a program of which everything is known before it runs.
//
// Owned by a session; used by its thread.
#pragma once
#include <memory>
#include <vector>

#include "tenon/executor.h"
#include "tenon/gaps.h"
#include "tenon/graph.h"

namespace tenon {

/// How the session stores real numbers, and whether it differentiates.
struct Precision {
  DType real = DType::f32;
  GradientMode mode = GradientMode::evaluation;
};

/// The request that a node makes of the registry; `output` is the shape of its first result.
TENON_API Request request_of(Op op, std::span<const OperandType* const> operands, const Shape& output,
                             const Attributes& attributes, Precision precision);

class TENON_API ResolvedGraph {
 public:
  /// Adds every operation without a capsule to `gaps` and goes on, so that a session's error shows them all; other
  /// failures are returned.
  static result<ResolvedGraph> resolve(Graph graph, KernelCache& cache, Executor& executor, Precision precision,
                                       Gaps& gaps);

  const Graph& graph() const { return graph_; }
  Step& step(std::size_t node) { return *steps_[node]; }
  const Step& step(std::size_t node) const { return *steps_[node]; }
  std::size_t size() const { return steps_.size(); }

 private:
  explicit ResolvedGraph(Graph graph) : graph_(std::move(graph)) {}
  Graph graph_;
  std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace tenon
