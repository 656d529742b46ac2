// taps.h: which elements of an input a kernel meets as it moves over the spatial axes, as the kernels have it.
//
// Taps is a small value, built when a kernel is prepared. Threads: const members from any thread.
#pragma once
#include "plan.h"

namespace tenon::metal {

class Taps {
 public:
  static constexpr std::size_t max_axes = 4;

  /// The attributes of a row; without one, a stride is `stride_like_kernel` ? the kernel's extent : 1.
  static Taps of(const SignatureView& s, std::span<const std::int64_t> inputs, std::span<const std::int64_t> kernel,
                 std::span<const std::int64_t> outputs, bool stride_like_kernel) {
    Taps taps;
    const auto stride = s.integers("stride"), padding = s.integers("padding"), dilation = s.integers("dilation");
    if (inputs.size() != kernel.size() || outputs.size() != kernel.size() || kernel.size() > max_axes) {
      plugin::refuse("[", s.op(), "] input ", inputs, ", kernel ", kernel, ", output ", outputs);
    }
    const std::size_t unused = max_axes - kernel.size();
    for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
      taps.axes_[unused + axis] = {inputs[axis],
                                   kernel[axis],
                                   outputs[axis],
                                   at(s, stride, axis, kernel.size(), stride_like_kernel ? kernel[axis] : 1),
                                   at(s, padding, axis, kernel.size(), 0),
                                   at(s, dilation, axis, kernel.size(), 1)};
      taps.check(s, axis, taps.axes_[unused + axis]);
    }
    return taps;
  }

  /// Without the ends of the kernel that lie in the padding wherever it stands; the taps that are left are the same.
  Taps inside() const {
    Taps taps = *this;
    for (Axis& axis : taps.axes_) axis.trim();
    return taps;
  }

  std::uint64_t inputs() const { return product(&Axis::inputs); }
  std::uint64_t kernel() const { return product(&Axis::kernel); }
  std::uint64_t outputs() const { return product(&Axis::outputs); }

  /// Into the constants of a kernel that follows them.
  template <class Struct>
  void put(Struct& to) const {
    for (std::size_t axis = 0; axis < max_axes; ++axis) {
      const Axis& from = axes_[axis];
      to.inputs[axis] = static_cast<int>(from.inputs);
      to.window[axis] = static_cast<int>(from.kernel);
      to.outputs[axis] = static_cast<int>(from.outputs);
      to.stride[axis] = static_cast<int>(from.stride);
      to.padding[axis] = static_cast<int>(from.padding);
      to.dilation[axis] = static_cast<int>(from.dilation);
    }
  }

 private:
  struct Axis {
    std::int64_t inputs = 1, kernel = 1, outputs = 1, stride = 1, padding = 0, dilation = 1;

    void trim() {
      const std::int64_t before = std::max<std::int64_t>(0, padding - (outputs - 1) * stride);
      const std::int64_t first = (before + dilation - 1) / dilation;
      const std::int64_t end = std::min(kernel, (padding + inputs + dilation - 1) / dilation);
      kernel = std::max<std::int64_t>(0, end - first);
      padding -= first * dilation;
    }
  };

  static std::int64_t at(const SignatureView& s, std::span<const std::int64_t> list, std::size_t axis, std::size_t axes,
                         std::int64_t otherwise) {
    if (list.empty()) return otherwise;
    if (list.size() != axes) plugin::refuse("[", s.op(), "] ", list, " for ", axes, " spatial axes");
    return list[axis];
  }

  static void check(const SignatureView& s, std::size_t number, const Axis& a) {
    const bool sane = a.kernel >= 1 && a.stride >= 1 && a.padding >= 0 && a.dilation >= 1 && a.outputs >= 1;
    const std::int64_t last = (a.outputs - 1) * a.stride + (a.kernel - 1) * a.dilation - a.padding;
    if (sane && last < a.inputs + a.padding) return;
    plugin::refuse("[", s.op(), "] spatial axis ", number, ": kernel ", a.kernel, ", stride ", a.stride, ", padding ",
                   a.padding, ", dilation ", a.dilation, " for ", a.inputs, " inputs and ", a.outputs, " outputs");
  }

  std::uint64_t product(std::int64_t Axis::*extent) const {
    std::uint64_t result = 1;
    for (const Axis& axis : axes_) result *= static_cast<std::uint64_t>(axis.*extent);
    return result;
  }

  std::array<Axis, max_axes> axes_{};
};

/// Says why not where a plan has room for no more spatial axes, or counts beyond 32 bits.
inline bool serves_taps(const SignatureView& s, Reason& why) {
  if (s.operand(0).rank() > 2 + Taps::max_axes)
    return why.decline("serves ", Taps::max_axes, " spatial axes, x has ", s.operand(0).rank() - 2);
  for (const tenon_attr& a : s.attributes()) {
    if (a.value.type != TENON_VALUE_INTS) continue;
    for (std::uint32_t i = 0; i < a.value.count; ++i) {
      if (a.value.as.is[i] > (std::int64_t{1} << 20))
        return why.decline("counts in 32 bits: ", std::string_view(a.name), " is ", a.value.as.is[i]);
    }
  }
  return true;
}

}  // namespace tenon::metal
