// taps.h: what the attributes of a convolution or a pooling say, as kernels take it (kernels/tap_shapes.h). Pure
// functions; any thread.
#pragma once
#include "kernels/tap_shapes.h"
#include "native.h"

namespace tenon::gpu {

/// The axes of one operation, before they become a kernel's: in 64 bits.
class TapShape {
 public:
  struct Axis {
    std::int64_t inputs = 1, kernel = 1, outputs = 1, stride = 1, padding = 0, dilation = 1;

    /// The last input that the last output meets, inside or not.
    std::int64_t last_input() const { return (outputs - 1) * stride + (kernel - 1) * dilation - padding; }
  };

  /// Without the attribute, a stride is `stride_like_kernel` ? the kernel's extent : 1.
  TapShape(const SignatureView& signature, std::span<const std::int64_t> inputs, std::span<const std::int64_t> kernel,
           std::span<const std::int64_t> outputs, bool stride_like_kernel);

  std::int64_t kernel() const { return product(&Axis::kernel); }
  std::int64_t inputs() const { return product(&Axis::inputs); }
  std::int64_t outputs() const { return product(&Axis::outputs); }

  /// Without the ends of the kernel that lie in the padding wherever it stands. The elements that are met, and their
  /// order, are the same.
  TapShape inside() const;

  /// Do two axes and 32 bits hold everything?
  bool narrow() const;
  /// How the kernels for these axes are called: "_2" or "_6".
  const char* suffix() const { return narrow() ? "_2" : "_6"; }
  /// Calls launch(Taps<2>) or launch(Taps<6>).
  template <class Launch>
  void with_taps(const Launch& launch) const {
    if (narrow())
      launch(taps<2>());
    else
      launch(taps<6>());
  }

 private:
  void check(const SignatureView& signature, std::size_t axis) const;
  std::int64_t product(std::int64_t Axis::*extent) const;
  static std::int32_t extent(std::int64_t number);
  template <unsigned Axes>
  Taps<Axes> taps() const;

  std::vector<Axis> axes_;
};

}  // namespace tenon::gpu
