// symbolic_recorder.h: the recorder of texts: it computes nothing, and extents may have names throughout, also where a
// Graph wants numbers (what a source makes, what an operand is repeated to). One thread at a time.
#pragma once
#include "tenon/graph.h"

namespace tenon {

/// The shape of the result, as `infer` gives it; a source makes what it is told even where extents have names.
Shape infer_symbolic(Op op, std::span<const OperandType> operands, const Attributes& attributes, Message& why);

class SymbolicRecorder final : public Recorder {
 public:
  explicit SymbolicRecorder(bool training) : training_(training) {}

  Value leaf(const OperandType& type) {
    types_.push_back(type);
    return {this, static_cast<std::uint32_t>(types_.size() - 1)};
  }

  const OperandType& type(Value value) const override;
  std::span<const Node> nodes() const override { return nodes_; }
  bool training() const override { return training_; }
  std::span<const OperandType> types() const { return types_; }
  std::span<const Graph::StateUpdate> state_updates() const { return updates_; }

 protected:
  Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                  std::span<const Scalar> scalars) override;
  void on_update_state(Value state, Value value) override { updates_.push_back({state.id, value.id}); }

 private:
  bool training_;
  std::vector<OperandType> types_;
  std::vector<Node> nodes_;
  std::vector<Graph::StateUpdate> updates_;
};

}  // namespace tenon
