#include "taps.h"

#include <algorithm>

namespace tenon::gpu {
namespace {

std::int64_t at(const SignatureView& signature, std::string_view attribute, std::size_t axis, std::size_t axes,
                std::int64_t otherwise) {
  const auto list = signature.integers(attribute);
  if (list.empty()) return otherwise;
  if (list.size() != axes) refuse("[", signature.op(), "] ", attribute, " ", list, " for ", axes, " spatial axes");
  return list[axis];
}

}  // namespace

TapShape::TapShape(const SignatureView& signature, std::span<const std::int64_t> inputs,
                   std::span<const std::int64_t> kernel, std::span<const std::int64_t> outputs,
                   bool stride_like_kernel) {
  constexpr std::size_t max_axes = 6;
  if (kernel.empty() || inputs.size() != kernel.size() || outputs.size() != kernel.size() || kernel.size() > max_axes)
    refuse("[", signature.op(), "] input ", inputs, ", kernel ", kernel, ", output ", outputs);
  for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
    axes_.push_back({inputs[axis], kernel[axis], outputs[axis],
                     at(signature, "stride", axis, kernel.size(), stride_like_kernel ? kernel[axis] : 1),
                     at(signature, "padding", axis, kernel.size(), 0),
                     at(signature, "dilation", axis, kernel.size(), 1)});
    check(signature, axis);
  }
}

void TapShape::check(const SignatureView& signature, std::size_t axis) const {
  const Axis& a = axes_[axis];
  const bool sane = a.kernel >= 1 && a.stride >= 1 && a.padding >= 0 && a.dilation >= 1;
  if (sane && a.last_input() < a.inputs + a.padding && a.outputs >= 1) return;
  refuse("[", signature.op(), "] spatial axis ", axis, ": kernel ", a.kernel, ", stride ", a.stride, ", padding ",
         a.padding, ", dilation ", a.dilation, " for ", a.inputs, " inputs and ", a.outputs, " outputs");
}

TapShape TapShape::inside() const {
  TapShape shape = *this;
  for (Axis& a : shape.axes_) {
    const std::int64_t before = std::max<std::int64_t>(0, a.padding - (a.outputs - 1) * a.stride);
    const std::int64_t first = (before + a.dilation - 1) / a.dilation;
    const std::int64_t end = std::min(a.kernel, (a.padding + a.inputs + a.dilation - 1) / a.dilation);
    a.kernel = std::max<std::int64_t>(0, end - first);
    a.padding -= first * a.dilation;
  }
  return shape;
}

std::int64_t TapShape::product(std::int64_t Axis::*extent) const {
  std::int64_t result = 1;
  for (const Axis& a : axes_) result *= a.*extent;
  return result;
}

std::int32_t TapShape::extent(std::int64_t number) {
  if (number < INT32_MIN || number > INT32_MAX)
    refuse("planes and kernels of at most ", INT32_MAX, " elements: found ", number);
  return static_cast<std::int32_t>(number);
}

bool TapShape::narrow() const {
  constexpr std::int64_t end = 1 << 30;
  return axes_.size() <= 2 && std::all_of(axes_.begin(), axes_.end(), [](const Axis& a) {
           return a.inputs < end && a.padding < end && (a.outputs - 1) * a.stride < end &&
                  (a.kernel - 1) * a.dilation < end;
         });
}

template <unsigned Axes>
Taps<Axes> TapShape::taps() const {
  using Number = typename Taps<Axes>::Number;
  Taps<Axes> taps{};
  const std::size_t missing = Axes - axes_.size();
  for (std::size_t axis = missing; axis < Axes; ++axis) {
    const Axis& a = axes_[axis - missing];
    auto& to = taps.axis[axis];
    to.inputs = extent(a.inputs);
    to.kernel = extent(a.kernel);
    to.outputs = extent(a.outputs);
    // A step that is never taken may be of any length.
    to.stride = a.outputs <= 1 ? 1 : static_cast<Number>(a.stride);
    to.dilation = a.kernel <= 1 ? 1 : static_cast<Number>(a.dilation);
    to.padding = static_cast<Number>(a.padding);
  }
  taps.inputs = extent(inputs());
  taps.kernel = extent(kernel());
  taps.outputs = extent(outputs());
  return taps;
}

template Taps<2> TapShape::taps() const;
template Taps<6> TapShape::taps() const;

}  // namespace tenon::gpu
