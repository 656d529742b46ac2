// executor.h: the only caller of capsules.
//
// A Step is a kernel with its argument block, built once and launched many times. An Executor owns the stream's order:
// one thread at a time.
#pragma once
#include <limits>

#include "tenon/kernel.h"
#include "tenon/value.h"
#include "tenon/watch.h"

namespace tenon {

static_assert(sizeof(Scalar) == sizeof(tenon_scalar));

class TENON_API Step {
 public:
  explicit Step(std::shared_ptr<const Kernel> kernel);
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  const Kernel& kernel() const { return *kernel_; }
  std::uint32_t output_count() const { return output_count_; }
  std::uint64_t output_bytes(std::size_t output) const { return output_bytes_[output]; }

  void set_operand(std::size_t i, tenon_ref ref) { refs_[i] = ref; }
  void set_output(std::size_t i, tenon_ref ref) { refs_[operand_count_ + i] = ref; }
  void set_scalar(std::size_t i, Scalar value) { scalars_[i].u = value.u; }
  tenon_ref operand(std::size_t i) const { return refs_[i]; }
  tenon_ref output(std::size_t i) const { return refs_[operand_count_ + i]; }

 private:
  friend class Executor;
  std::shared_ptr<const Kernel> kernel_;
  tenon_launch call_{};
  tenon_args args_{};
  std::uint32_t operand_count_, output_count_;
  std::array<tenon_ref, 2 * max_operands> refs_{};
  std::array<tenon_scalar, max_operands> scalars_{};
  std::array<std::uint64_t, max_operands> output_bytes_{};
  std::uint32_t watched_ = Watch::unseen;  // its kernel's number
};

class TENON_API Executor {
 public:
  /// `watch` may be null; it must outlive the executor.
  Executor(std::shared_ptr<Device> device, Watch* watch) : device_(std::move(device)), watch_(watch) {}

  /// Makes room for the step's workspace. To be called once before the step is run.
  result<void> admit(const Step& step);

  /// Launches; true unless the capsule reports an error at once, which `error` then words.
  bool run(Step& step) {
    if (watch_ != nullptr) [[unlikely]]
      return run_watched(step);
    return launch(step);
  }
  /// Of the step whose run just returned false.
  Error error(const Step& step) const;

  std::uint64_t launches() const { return launches_; }
  Device& device() const { return *device_; }
  Watch* watch() const { return watch_; }

 private:
  bool launch(Step& step) {
    step.args_.workspace = workspace_.ref();
    step.args_.launch_id = ++launches_;
    try {  // which costs nothing until something is thrown
      last_status_ = step.call_.launch(step.call_.kernel, step.call_.args, device_->stream());
    } catch (...) {
      last_status_ = caught(step);
    }
    return last_status_ == TENON_OK;
  }
  bool run_watched(Step& step);
  /// Keeps the exception that is being handled as the step's error, and answers the status that stands for it.
  std::int32_t caught(const Step& step);
  static constexpr std::int32_t exception_escaped = std::numeric_limits<std::int32_t>::min();  // no plugin's

  std::shared_ptr<Device> device_;
  Watch* watch_;
  Buffer workspace_;
  std::uint64_t launches_ = 0;
  std::int32_t last_status_ = 0;
  Error escaped_;  // if that is exception_escaped
};

}  // namespace tenon
