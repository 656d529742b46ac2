// eager_recorder.h: the recorder that runs each operation as it is recorded.
//
// It follows a trace (trace.h). A program that records something else than the trace foresaw is served all the same,
// operation by operation through the kernel cache, until its end. One thread at a time.
#pragma once
#include <deque>

#include "draws.h"
#include "trace.h"

namespace tenon {

class EagerRecorder final : public Recorder {
 public:
  EagerRecorder(KernelCache& cache, Executor& executor, DType real, Draws& draws)
      : cache_(cache), executor_(executor), real_(real), draws_(draws) {}

  /// Starts one run of the trace's program. Its leaves have the ids 0, 1, ... in order.
  /// `naturals` are the batch's, uploaded: an operation that the trace did not foresee checks them.
  void begin(Trace& trace, std::span<const std::span<const std::uint32_t>> naturals);

  /// Has everything so far been as foreseen, up to node `count`?
  bool followed_to(std::size_t count) const { return following_ && cursor_ == count; }
  /// Runs the rest of the trace without a program: its gradient.
  void replay_rest();

  tenon_ref ref(Value value) const { return following_ ? trace_->refs[value.id] : refs_[value.id]; }
  const OperandType& type(Value value) const override {
    return following_ ? trace_->graph().types()[value.id] : types_[value.id];
  }
  std::span<const Node> nodes() const override {
    return following_ ? trace_->graph().nodes().first(cursor_) : std::span<const Node>(nodes_);
  }

  bool training() const override { return trains(trace_->kind); }
  /// What the program has asked for so far.
  std::span<const Graph::StateUpdate> state_updates() const { return state_updates_; }

 protected:
  Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                  std::span<const Scalar> scalars) override;
  void on_update_state(Value state, Value value) override { state_updates_.push_back({state.id, value.id}); }

 private:
  bool foreseen(Op op, std::span<const Value> operands, const Attributes& attributes) const;
  Value run_next(std::span<const Scalar> scalars);
  void leave_trace();
  result<Value> run_unforeseen(Op op, std::span<const Value> operands, const Attributes& attributes,
                               std::span<const Scalar> scalars);
  result<void> check_indices(Op op, std::span<const Value> operands, const Attributes& attributes) const;
  void set_scalars(Step& step, Op op, std::span<const Scalar> scalars);

  KernelCache& cache_;
  Executor& executor_;
  DType real_;
  Draws& draws_;
  Trace* trace_ = nullptr;
  std::span<const std::span<const std::uint32_t>> naturals_;
  std::size_t cursor_ = 0;
  bool following_ = false;
  std::vector<Graph::StateUpdate> state_updates_;
  // Of a program that left its trace:
  std::vector<OperandType> types_;
  std::vector<tenon_ref> refs_;
  std::vector<Node> nodes_;
  std::deque<Step> steps_;
  std::vector<Buffer> buffers_;
};

}  // namespace tenon
