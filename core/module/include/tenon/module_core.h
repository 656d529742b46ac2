// module_core.h: what a ScalarModule is made of once the compiler has checked its shapes: a session with its device,
// parameters, gradients and training loops, by run-time shapes.
//
// Owns the session and shares the device. One thread at a time.
#pragma once
#include <memory>

#include "tenon/float_init.h"
#include "tenon/runtime.h"

namespace tenon {

/// How a data set is gone through.
struct Training {
  std::uint64_t epochs = 1;
  std::uint64_t batch = 32;  // rows a step; the last one of an epoch may have fewer
  double rate = 0.01;
  std::optional<std::uint64_t> shuffle{};  // the seed of each epoch's order; not set: as the rows stand
};

struct TrainingReport {
  std::uint64_t steps = 0;
  std::vector<double> epoch_losses;  // the mean over an epoch's rows, of losses before each update
};

/// All rows of a data set: every input whose first axis is `batch` has as many.
struct DataSet {
  Batch all;
  std::vector<bool> has_rows;  // of every real, then of every natural: does `batch` lead?
};

/// Opens the device once, for every module made from it. Prints the last line of --show-backend when it goes.
class TENON_API SharedRuntime {
 public:
  static result<SharedRuntime> open(const Options& options, CompiledWith caller = {});
  DeviceRuntime& get() const { return *runtime_; }

 private:
  std::shared_ptr<DeviceRuntime> runtime_;
};

class TENON_API ModuleCore {
 public:
  /// Resolves the program, its gradient and its evaluation, for any batch size; nothing has run by then.
  static result<ModuleCore> create(SharedRuntime runtime, Program program);

  /// All or nothing: validates every initialiser, then allocates, then commits. What can be drawn is made by capsules
  /// of the device.
  result<void> apply_plan(std::span<const FloatInit> plan);

  /// The parameters as stored; read back when asked for, and kept until they change.
  result<std::span<const std::vector<std::byte>>> parameters();
  result<void> set_parameters(std::span<const std::vector<std::byte>> values);

  result<void> restore(const SessionSnapshot& snapshot, Optimizer* optimizer);

  /// Plain gradient descent: the loss before the update.
  result<double> step(const Batch& given, double rate);
  result<double> step_with(Optimizer& optimizer, const Batch& given, double rate);

  result<TrainingReport> train(Optimizer* optimizer, const Training& how, const DataSet& data);  // null: plain descent
  /// The loss over all rows, as in evaluation, in batches of `rows`.
  result<double> mean_loss(const DataSet& data, std::uint64_t rows);

  Session& session() { return session_; }
  const Program& program() const { return session_.program(); }
  DType real() const { return runtime_.get().real; }
  /// A batch to fill without allocating: cleared.
  Batch& scratch();

 private:
  ModuleCore(SharedRuntime runtime, Session session) : runtime_(std::move(runtime)), session_(std::move(session)) {}

  SharedRuntime runtime_;
  Session session_;  // goes first
  std::optional<Optimizer> descent_;
  std::vector<std::vector<std::byte>> host_parameters_;
  bool host_is_stale_ = true;
  Batch scratch_;
};

}  // namespace tenon
