// session.h: one program on one device: parameters in device memory, training and evaluation.
//
// Creation resolves every operation of the program, of its gradient and of its evaluation, for every batch size that
// was announced; nothing has run by then, and a gap is an error that lists them all. A Session owns its memory and is
// used by one thread at a time. Several sessions may live in one process.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tenon/launch_report.h"
#include "tenon/program.h"
#include "tenon/registry.h"
#include "tenon/source_init.h"

namespace tenon {

struct SessionState;
struct OptimizerState;

/// Which update, with its attributes.
struct OptimizerSpec {
  Op op = Op::sgd;
  Attributes attributes = NoAttributes{};
};

struct SessionOptions {
  DType real = DType::f32;
  std::uint64_t seed = 0;
  GradientMode mode = GradientMode::training;
  std::vector<std::uint64_t> training_batches{};    // sizes that will be trained on: full and last
  std::vector<std::uint64_t> evaluation_batches{};  // sizes that will be evaluated
  // What else will be asked for, so that a missing capsule is known at creation:
  std::optional<OptimizerSpec> optimizer{};
  std::vector<SourceInit> initial_values{};
  LaunchReport* report = nullptr;  // outlives the session
};

/// One batch on the host, row-major: a span for each real input, then for each natural one.
struct Batch {
  std::uint64_t rows = 0;
  std::vector<std::span<const double>> reals;
  std::vector<std::span<const std::uint32_t>> naturals;
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
  static result<Session> create(Registry registry, Program program, const SessionOptions& options);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  const Program& program() const;
  Device& device() const;

  /// Gives every parameter its first value by capsules of the device. All or nothing.
  result<void> initialise(std::span<const SourceInit> inits);

  /// Parameter values in row-major order as stored: f32 or f64 bytes. All or nothing on set.
  result<std::vector<std::vector<std::byte>>> read_parameters();
  result<void> set_parameters(std::span<const std::vector<std::byte>> values);

  /// Resolves the update of every parameter that requires a gradient, and zeroes its state.
  result<Optimizer> init_optim(const OptimizerSpec& spec);

  /// One step: forward once, backward once, update. The loss is the one before the update.
  result<double> train_step(const Batch& given, Optimizer& optimizer, double rate);

  /// The loss without a step.
  result<double> loss(const Batch& given);

  /// The forward program's output, row-major, as doubles.
  result<std::vector<double>> evaluate(const Batch& given);

  /// The loss's gradient for every parameter, as doubles; frozen ones report zeros.
  result<std::vector<std::vector<double>>> gradients(const Batch& given);

 private:
  explicit Session(std::unique_ptr<SessionState> state);
  std::unique_ptr<SessionState> state_;
};

}  // namespace tenon
