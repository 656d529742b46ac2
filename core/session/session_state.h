// session_state.h: what a Session keeps.
#pragma once
#include <list>

#include "eager_recorder.h"
#include "input_shapes.h"
#include "storage.h"
#include "tenon/session.h"

namespace tenon {

/// INVALID_ARGUMENT unless it is an update with attributes that its rule accepts.
result<void> check_update(const OptimizerSpec& optimizer);

/// What an update, or an initial value, asks of the registry.
Request update_request(const OptimizerSpec& optimizer, const Shape& shape, DType real);
Request initial_request(const SourceInit& init, DType real);

struct OptimizerState;

struct SessionState {
  SessionState(Registry registry, Program program_, const SessionOptions& options);
  /// Waits for the device: kernels in flight must not be released.
  ~SessionState() { (void)device->synchronize(); }
  SessionState(const SessionState&) = delete;
  SessionState& operator=(const SessionState&) = delete;

  /// Makes traces for all announced batch sizes.
  result<void> resolve_announced(const SessionOptions& options);
  /// Prepares a kernel for the request; if there is no capsule, that is a gap at `place`.
  result<void> add_gap(const Request& request, const std::string& place, Gaps& gaps);
  /// Makes the trace of such a run without running anything.
  result<void> resolve(TraceKind kind, const Batch& given, const OptimizerState* optimizer);
  /// Uploads the batch and runs the program, for `gradient` also its gradient.
  result<void> run(TraceKind kind, const Batch& given);
  /// Gives the module's states what the last run has found for them.
  result<void> store_states();
  /// The same with the optimizer's update of every trainable parameter.
  result<void> run_step(const Batch& given, OptimizerState& optimizer, double rate);
  /// Where the gradients of the trainable parameters lie after a run of `gradient`.
  std::span<const tenon_ref> gradients() const { return left_trace_ ? gradient_places_ : last_->gradient_places; }
  /// The result of the last run.
  result<std::vector<double>> read_result();
  const Shape& result_shape() const { return result_shape_; }
  /// The same, of one element.
  result<double> read_loss();
  result<std::vector<double>> read(tenon_ref ref, std::uint64_t elements);
  result<void> copy(tenon_ref to, tenon_ref from, std::uint64_t bytes);

  std::uint64_t next_optimizer_id() { return ++optimizers_made_; }

  std::vector<std::uint64_t> parameter_bytes() const;
  std::vector<std::uint64_t> state_bytes() const;
  /// New memory takes the place of the old.
  void commit(std::vector<Buffer> new_parameters);
  void commit_states(std::vector<Buffer> new_states);

  std::shared_ptr<Device> device;
  Program program;
  DType real;
  std::uint64_t alignment_bytes;
  Backend backend;
  KernelCache cache;
  Executor executor;
  Draws draws;
  EagerRecorder recorder;
  InputStore inputs;
  std::vector<Buffer> parameters, states;
  std::vector<std::size_t> trainable;  // indices of the parameters that require a gradient

 private:
  struct Entry {
    Trace trace;
    std::optional<OptimizerSpec> optimizer;  // of a step
    std::uint64_t bound_optimizer = 0;       // its id
  };

  bool is_known_trace(TraceKind kind, std::span<const Shape> shapes) const;
  result<Entry*> find_or_make(TraceKind kind, std::span<const Shape> shapes, const OptimizerSpec* optimizer);
  result<void> check_has(TraceKind kind) const;
  /// Checks the batch, finds its trace and brings the inputs to the device.
  result<Entry*> prepare(TraceKind kind, const Batch& given, const OptimizerState* optimizer);
  result<void> make_room(const Trace& trace);
  void bind_if_moved(Entry& entry, const OptimizerState* optimizer);
  result<void> run_eagerly(Trace& trace, const Batch& given);
  Error eager_error(Error error) const;
  result<void> finish_unforeseen(TraceKind kind);
  result<void> store_updates(const Trace& trace);
  Resolver resolver() { return {cache, executor, real, alignment_bytes, backend}; }
  ProgramArguments arguments(const Trace& trace);
  tenon_ref result_ref() const;

  InputShapes input_shapes_;
  std::list<Entry> entries_;      // the one used last first; bounded
  Buffer values_;                 // what nodes make, of one run at a time
  std::uint64_t generation_ = 1;  // of the memory that traces are bound to
  std::uint64_t optimizers_made_ = 0;
  std::vector<Value> leaves_;
  Trace* last_ = nullptr;
  Value result_;                            // of the last eager run
  bool left_trace_ = false;                 // it recorded something else than was foreseen
  Shape result_shape_;                      // of the last run that succeeded
  std::vector<tenon_ref> gradient_places_;  // of a run that left its trace
};

}  // namespace tenon
