#include "tenon/executor.h"

#include "tenon/guarded.h"

namespace tenon {
namespace {

std::uint64_t bytes(const TensorType& type) {
  return static_cast<std::uint64_t>(known_elements(type.shape)) * size_bytes(type.dtype);
}

}  // namespace

Step::Step(std::shared_ptr<const Kernel> kernel)
    : kernel_(std::move(kernel)),
      operand_count_(static_cast<std::uint32_t>(kernel_->request().operands.size())),
      output_count_(static_cast<std::uint32_t>(kernel_->request().outputs.size())) {
  for (std::size_t i = 0; i < output_count_; ++i) output_bytes_[i] = bytes(kernel_->request().outputs[i]);
  args_.tensors = refs_.data();
  args_.scalars = scalars_.data();
  call_ = {kernel_->choice().capsule->launch, kernel_->prepared().kernel, &args_};
}

result<void> Executor::admit(const Step& step) {
  const std::uint64_t wanted = step.kernel().prepared().workspace_bytes;
  if (wanted <= workspace_.bytes()) return {};
  TENON_CHECK(device_->synchronize());  // launches in flight still use the old one
  TENON_TRY(workspace_, Buffer::allocate(device_, wanted));
  return {};
}

bool Executor::run_watched(Step& step) {
  watch_->launching(step.kernel(), step.watched_);
  const bool done = launch(step);
  watch_->launched();
  return done;
}

std::int32_t Executor::caught(const Step& step) {
  escaped_ = escaped_exception(step.kernel().choice().plugin->candidate().manifest.library, "launch");
  return exception_escaped;
}

Error Executor::error(const Step& step) const {
  const Request& request = step.kernel().request();
  Error error = last_status_ == exception_escaped ? escaped_ : plugin_error(last_status_, name(request.op));
  error.text += std::string("\n  while ") + step.kernel().choice().capsule->name + " ran on " + device_->name() +
                " for " + to_string(request);
  return error;
}

}  // namespace tenon
