// session.h: one program on one device: parameters in device memory, training and evaluation.
//
// Creation resolves every operation of the program, of its gradient and of its evaluation, for every batch size that
// was announced; nothing has run by then, and a gap is an error that lists them all. A Session owns its memory and is
// used by one thread at a time. Several sessions may live in one process.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tenon/backend.h"
#include "tenon/op_fingerprint.h"
#include "tenon/program.h"
#include "tenon/registry.h"
#include "tenon/source_init.h"
#include "tenon/watch.h"

namespace tenon {

struct SessionState;
struct OptimizerState;

/// Which update, with its attributes.
struct OptimizerSpec {
  Op op = Op::sgd;
  Attributes attributes = NoAttributes{};
  friend bool operator==(const OptimizerSpec&, const OptimizerSpec&) = default;
};

/// HEADERS_MISMATCH if the caller was compiled with another op table than this library.
TENON_API result<void> check_headers(CompiledWith caller);

struct SessionOptions {
  DType real = DType::f32;
  std::uint64_t seed = 0;
  Backend backend = Backend::eager;
  GradientMode mode = GradientMode::training;
  std::vector<std::uint64_t> training_batches{};    // sizes that will be trained on: full and last
  std::vector<std::uint64_t> evaluation_batches{};  // sizes that will be evaluated
  // What else will be asked for, so that a missing capsule is known at creation:
  std::optional<OptimizerSpec> optimizer{};
  std::vector<SourceInit> initial_values{};
  Watch* watch = nullptr;  // outlives the session
};

/// Real numbers on the host, in either width. Not owned.
class RealSpan {
 public:
  RealSpan() = default;
  RealSpan(std::span<const double> values) : data_(values.data()), size_(values.size()), dtype_(DType::f64) {}
  RealSpan(std::span<const float> values) : data_(values.data()), size_(values.size()), dtype_(DType::f32) {}
  RealSpan(const std::vector<double>& values) : RealSpan(std::span<const double>(values)) {}
  RealSpan(const std::vector<float>& values) : RealSpan(std::span<const float>(values)) {}

  std::size_t size() const { return size_; }
  DType dtype() const { return dtype_; }
  RealSpan subspan(std::size_t first, std::size_t count) const {
    RealSpan part = *this;
    part.data_ = static_cast<const std::byte*>(data_) + first * size_bytes(dtype_);
    part.size_ = count;
    return part;
  }
  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_), size_ * size_bytes(dtype_)};
  }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  DType dtype_ = DType::f64;
};

/// One batch on the host, row-major: a span for each real input, then for each natural one.
struct Batch {
  std::uint64_t rows = 0;  // the extent `batch`, where no shapes are given
  std::vector<RealSpan> reals;
  std::vector<std::span<const std::uint32_t>> naturals;
  std::vector<Shape> shapes{};  // of every real, then of every natural; needed where inputs have other unknown extents
};

/// How a parameter gets a value: made by a capsule of the device, or given, row-major.
using InitialValue = std::variant<SourceInit, RealSpan>;

/// What an optimizer keeps for one parameter, as stored: "m" of "fc1.weight".
struct Moment {
  std::string name, parameter;
  std::vector<std::byte> bytes;
};

/// What a session remembers beside its parameters, so that a training can go on elsewhere.
struct OptimizerSnapshot {
  std::int64_t steps = 0;
  std::vector<Moment> moments;
};

struct SessionSnapshot {
  std::vector<std::vector<std::byte>> parameters, states;
  std::uint64_t draws = 0;
  OptimizerSnapshot optimizer;
};

/// The state of one optimizer for one session's parameters; persists across steps. Owned by the caller, at most as long
/// as its session.
class TENON_API Optimizer {
 public:
  ~Optimizer();
  Optimizer(Optimizer&&) noexcept;
  Optimizer& operator=(Optimizer&&) noexcept;
  std::int64_t steps() const;  // taken so far

 private:
  friend class Session;
  explicit Optimizer(std::unique_ptr<OptimizerState> state);
  std::unique_ptr<OptimizerState> state_;
};

class TENON_API Session {
 public:
  static result<Session> create(Registry registry, Program program, const SessionOptions& options,
                                CompiledWith caller = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  const Program& program() const;
  Device& device() const;

  /// Gives every parameter its first value; nothing is changed unless all get theirs. Drawn values are made on the
  /// device, without a copy on the host.
  result<void> initialise(std::span<const InitialValue> values);
  result<void> initialise(std::span<const SourceInit> inits);

  /// Parameter values in row-major order as stored: f32 or f64 bytes. All or nothing on set.
  result<std::vector<std::vector<std::byte>>> read_parameters();
  result<void> set_parameters(std::span<const std::vector<std::byte>> values);

  /// The module's state, likewise.
  result<std::vector<std::vector<std::byte>>> read_states();
  result<void> set_states(std::span<const std::vector<std::byte>> values);

  /// Resolves the update of every parameter that requires a gradient, and zeroes its state.
  result<Optimizer> init_optim(const OptimizerSpec& spec);
  result<OptimizerSnapshot> read_optimizer(const Optimizer& optimizer);
  /// All or nothing; the snapshot must be one of the same update and parameters.
  result<void> set_optimizer(Optimizer& optimizer, const OptimizerSnapshot& snapshot);

  /// Parameters, states, the counter of random operations and, unless null, the optimizer: all or nothing.
  result<void> restore(const SessionSnapshot& snapshot, Optimizer* optimizer);

  /// How many random operations have run.
  std::uint64_t draws() const;
  void set_draws(std::uint64_t count);

  /// One step: forward once, backward once, update. The loss is the one before the update.
  result<double> train_step(const Batch& given, Optimizer& optimizer, double rate);

  /// Everything that such a step, or such a loss, needs is recorded and resolved; nothing runs. What is wrong with the
  /// last, smaller batch of a data set is known before its first.
  result<void> prepare_step(const Batch& given, const Optimizer& optimizer);
  result<void> prepare_loss(const Batch& given);

  /// The loss without a step; the program sees itself in evaluation.
  result<double> loss(const Batch& given);
  /// The loss as a step would compute it; updates the module's state.
  result<double> training_loss(const Batch& given);

  /// The forward program's output, row-major, as doubles. The program sees itself in evaluation.
  result<std::vector<double>> evaluate(const Batch& given);
  /// The shape of the result of the last run that succeeded; a scalar's before any.
  Shape result_shape() const;

  /// The loss's gradient for every parameter, as doubles; frozen ones report zeros.
  result<std::vector<std::vector<double>>> gradients(const Batch& given);
  struct LossAndGradients {
    double loss = 0;
    std::vector<std::vector<double>> gradients;
  };
  /// Both from one run of the loss.
  result<LossAndGradients> loss_and_gradients(const Batch& given);

 private:
  explicit Session(std::unique_ptr<SessionState> state);
  std::unique_ptr<SessionState> state_;
};

}  // namespace tenon
