// graph.h: a program as data: the recorder that computes nothing.
//
// What a session resolves before anything runs, and what the compiled backend executes. A Graph owns its nodes; Values
// of it are ids. Written by one thread, then read by any.
#pragma once
#include <string>
#include <string_view>

#include "tenon/value.h"

namespace tenon {

class TENON_API Graph final : public Recorder {
 public:
  /// A value from outside: parameter, input, state.
  Value leaf(const OperandType& type);

  /// After an error a Value may stand for nothing; its type is then a scalar.
  const OperandType& type(Value value) const override;
  std::span<const Node> nodes() const override { return nodes_; }
  std::span<const OperandType> types() const { return types_; }

  /// In the order in which the program asked for them.
  struct StateUpdate {
    std::uint32_t state, value;
  };
  std::span<const StateUpdate> state_updates() const { return state_updates_; }

  /// What `training()` answers to the program being recorded.
  void set_training(bool training) { training_ = training; }
  bool training() const override { return training_; }

 protected:
  Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                  std::span<const Scalar> scalars) override;
  void on_update_state(Value state, Value value) override { state_updates_.push_back({state.id, value.id}); }

 private:
  std::vector<OperandType> types_;
  std::vector<Node> nodes_;
  std::vector<StateUpdate> state_updates_;
  bool training_ = false;
};

/// One value or node a line, in order: "%3 = linear(%0, %1, %2) : (32, 10)"; attributes only where they differ from the
/// operation's defaults: "%4 = reduce_sum(%3) {axes=(0)} : (10)". A leaf is "%0 = leaf() : (32, 64)". State updates
/// come last: "update_state(%2, %7)".
TENON_API std::string to_string(const Graph& graph);

/// The graph of such a text: the same nodes, types, attributes and state updates. Types after operations may be left
/// out. An error is FILE_MALFORMED or SHAPE_MISMATCH and begins "[graph] line 7: ", with the line below.
TENON_API result<Graph> parse_graph(std::string_view text);

}  // namespace tenon
