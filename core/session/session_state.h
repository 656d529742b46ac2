// session_state.h: what a Session keeps.
#pragma once
#include <map>

#include "eager_recorder.h"
#include "storage.h"
#include "tenon/session.h"

namespace tenon {

/// What an update, or an initial value, asks of the registry.
Request update_request(const OptimizerSpec& optimizer, const Shape& shape, DType real);
Request initial_request(const SourceInit& init, DType real);

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
  /// Uploads the batch and runs the program, for training also its gradient.
  result<void> run(TraceKind kind, const Batch& given);
  /// Where the gradients of the trainable parameters lie after a training run.
  result<std::span<const tenon_ref>> gradients();
  /// The result of the last run.
  result<std::vector<double>> read_result();
  /// The same, of one element.
  result<double> read_loss();
  result<std::vector<double>> read(tenon_ref ref, std::uint64_t elements);

  std::vector<std::uint64_t> parameter_bytes() const;
  /// New parameter memory takes the place of the old.
  void commit(std::vector<Buffer> buffers);

  std::shared_ptr<Device> device;
  Program program;
  DType real;
  std::uint64_t alignment_bytes;
  KernelCache cache;
  Executor executor;
  EagerRecorder recorder;
  InputStore inputs;
  std::vector<Buffer> parameters;
  std::vector<std::size_t> trainable;  // indices of the parameters that require a gradient

 private:
  result<Trace*> trace(TraceKind kind, std::uint64_t rows);
  result<void> make_room(const Trace& trace);
  void bind_if_moved(Trace& trace);
  Resolver resolver() { return {cache, executor, real, alignment_bytes}; }
  ProgramArguments arguments(const Trace& trace);

  std::map<std::pair<TraceKind, std::uint64_t>, Trace> traces_;
  Buffer values_;                 // what nodes make, of one run at a time
  std::uint64_t generation_ = 1;  // of the memory that traces are bound to
  std::vector<Value> leaves_;
  Trace* last_ = nullptr;
  Value result_;                            // of the last run
  std::vector<tenon_ref> gradient_places_;  // of a run that left its trace
};

}  // namespace tenon
