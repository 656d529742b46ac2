// taps.h: which elements of an input a kernel meets as it moves over the spatial axes.
//
// Along an axis, output o and kernel element k meet input o * stride + k * dilation - padding; where the input has no
// such element the tap lies in the padding. Taps is a small value, built when a kernel is prepared. Threads: const
// members from any thread.
#pragma once
#include <array>

#include "provider.h"

namespace tenon::cpu::reference {

class Taps {
 public:
  /// One row of outputs, at one kernel position: `output` is its first element; output j of the row, where
  /// first <= j < last, meets input `input` + j * stride(). All others lie in the padding.
  struct Row {
    std::int64_t output, input, first, last;
  };

  /// The attributes of a row; without one, a stride is `stride_like_kernel` ? the kernel's extent : 1.
  static Taps of(const SignatureView& signature, std::span<const std::int64_t> inputs,
                 std::span<const std::int64_t> kernel, std::span<const std::int64_t> outputs, bool stride_like_kernel) {
    Taps taps;
    const auto stride = signature.integers("stride"), padding = signature.integers("padding"),
               dilation = signature.integers("dilation");
    if (inputs.size() != kernel.size() || outputs.size() != kernel.size() || kernel.size() > max_axes) {
      plugin::refuse("[", signature.op(), "] input ", inputs, ", kernel ", kernel, ", output ", outputs);
    }
    for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
      taps.axes_[axis] = {inputs[axis],
                          kernel[axis],
                          outputs[axis],
                          at(signature, stride, axis, kernel.size(), stride_like_kernel ? kernel[axis] : 1),
                          at(signature, padding, axis, kernel.size(), 0),
                          at(signature, dilation, axis, kernel.size(), 1)};
      taps.check(signature, axis);
    }
    taps.count_ = kernel.size();
    return taps;
  }

  /// Without the ends of the kernel that lie in the padding wherever it stands. As many positions are left as the
  /// inputs allow, however long the kernel; the elements that they meet, and their order, are the same.
  Taps inside() const {
    Taps taps = *this;
    for (std::size_t axis = 0; axis < count_; ++axis) taps.axes_[axis].trim();
    return taps;
  }

  std::int64_t inputs() const { return product(&Axis::inputs, count_); }
  std::int64_t kernel() const { return product(&Axis::kernel, count_); }
  std::int64_t outputs() const { return product(&Axis::outputs, count_); }
  std::int64_t row_length() const { return axes_[count_ - 1].outputs; }
  std::int64_t stride() const { return axes_[count_ - 1].stride; }

  /// Calls visit(Row) for each row of outputs, in order, at kernel position k, counted row-major.
  template <class Visit>
  void for_each_row(std::int64_t k, const Visit& visit) const {
    std::array<std::int64_t, max_axes> kernel{}, output{};
    for (std::size_t axis = count_; axis-- != 0; k /= axes_[axis].kernel) kernel[axis] = k % axes_[axis].kernel;
    const Axis& last = axes_[count_ - 1];
    const std::int64_t shift = last.shift(kernel[count_ - 1]), length = row_length();
    const std::int64_t begin = last.first_inside(shift), end = last.end_inside(shift);
    const std::int64_t rows = product(&Axis::outputs, count_ - 1);
    for (std::int64_t row = 0; row < rows; ++row, advance(output)) {
      const std::int64_t input = row_of(output, kernel);
      if (input < 0) {
        visit(Row{row * length, 0, 0, 0});
      } else {
        visit(Row{row * length, input * last.inputs + shift, begin, end});
      }
    }
  }

 private:
  static constexpr std::size_t max_axes = 8;

  struct Axis {
    std::int64_t inputs = 1, kernel = 1, outputs = 1, stride = 1, padding = 0, dilation = 1;

    /// The input that output 0 meets.
    std::int64_t shift(std::int64_t k) const { return k * dilation - padding; }
    /// The last one that output o meets, inside or not.
    std::int64_t last_input(std::int64_t o) const { return o * stride + shift(kernel - 1); }
    std::int64_t first_inside(std::int64_t shift) const {
      return std::min(outputs, shift >= 0 ? 0 : (-shift + stride - 1) / stride);
    }
    std::int64_t end_inside(std::int64_t shift) const {
      const std::int64_t end = shift >= inputs ? 0 : (inputs - 1 - shift) / stride + 1;
      return std::max(first_inside(shift), std::min(outputs, end));
    }
    void trim() {
      const std::int64_t before = std::max<std::int64_t>(0, padding - (outputs - 1) * stride);
      const std::int64_t first = (before + dilation - 1) / dilation;
      const std::int64_t end = std::min(kernel, (padding + inputs + dilation - 1) / dilation);
      kernel = std::max<std::int64_t>(0, end - first);
      padding -= first * dilation;
    }
  };

  static std::int64_t at(const SignatureView& signature, std::span<const std::int64_t> list, std::size_t axis,
                         std::size_t axes, std::int64_t otherwise) {
    if (list.empty()) return otherwise;
    if (list.size() != axes) plugin::refuse("[", signature.op(), "] ", list, " for ", axes, " spatial axes");
    return list[axis];
  }

  void check(const SignatureView& signature, std::size_t axis) const {
    const Axis& a = axes_[axis];
    const bool sane = a.kernel >= 1 && a.stride >= 1 && a.padding >= 0 && a.dilation >= 1;
    if (!sane || a.last_input(a.outputs - 1) >= a.inputs + a.padding || a.outputs < 1) {
      plugin::refuse("[", signature.op(), "] spatial axis ", axis, ": kernel ", a.kernel, ", stride ", a.stride,
                     ", padding ", a.padding, ", dilation ", a.dilation, " for ", a.inputs, " inputs and ", a.outputs,
                     " outputs");
    }
  }

  std::int64_t product(std::int64_t Axis::*extent, std::size_t axes) const {
    std::int64_t result = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) result *= axes_[axis].*extent;
    return result;
  }

  /// The row of inputs that a row of outputs meets; -1 in the padding.
  std::int64_t row_of(const std::array<std::int64_t, max_axes>& output,
                      const std::array<std::int64_t, max_axes>& kernel) const {
    std::int64_t row = 0;
    for (std::size_t axis = 0; axis + 1 < count_; ++axis) {
      const std::int64_t input = output[axis] * axes_[axis].stride + axes_[axis].shift(kernel[axis]);
      if (input < 0 || input >= axes_[axis].inputs) return -1;
      row = row * axes_[axis].inputs + input;
    }
    return row;
  }

  void advance(std::array<std::int64_t, max_axes>& output) const {
    for (std::size_t axis = count_ - 1; axis-- != 0;) {
      if (++output[axis] < axes_[axis].outputs) return;
      output[axis] = 0;
    }
  }

  std::array<Axis, max_axes> axes_{};
  std::size_t count_ = 0;
};

}  // namespace tenon::cpu::reference
