// Operations that move elements and compute nothing.
#include "kernel.h"

namespace acme {
namespace {

class Transpose {
 public:
  using dtypes = float(float);
  static constexpr auto attributes = names("axes");

  static bool supports(const SignatureView& signature, Reason& why) {
    if (signature.operand(0).rank() == 2 && changes_places(signature.integers("axes"))) return true;
    return why.decline("transposes matrices, axes (1, 0): x ", signature.operand(0).shape(), ", axes ",
                       signature.integers("axes"));
  }

  explicit Transpose(const SignatureView& signature)
      : rows_(static_cast<std::uint64_t>(signature.operand(0).extent(0))),
        columns_(static_cast<std::uint64_t>(signature.operand(0).extent(1))) {}

  void operator()(const Tensors& tensors) const {
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (std::uint64_t column = 0; column < columns_; ++column) {
        tensors.output()[column * rows_ + row] = tensors.operand(0)[row * columns_ + column];
      }
    }
  }

 private:
  static bool changes_places(std::span<const std::int64_t> axes) {
    return axes.size() == 2 && (axes[0] == 1 || axes[0] == -1) && (axes[1] == 0 || axes[1] == -2);
  }
  std::uint64_t rows_, columns_;
};

/// One element, or one row, again and again.
class Broadcast {
 public:
  using dtypes = float(float);
  static constexpr auto attributes = names("shape");

  static bool supports(const SignatureView& signature, Reason& why) {
    if (is_tail(signature.operand(0), signature.output())) return true;
    return why.decline("repeats whole tensors, not axes of extent 1 within: x ", signature.operand(0).shape(), " to ",
                       signature.output().shape());
  }

  explicit Broadcast(const SignatureView& signature)
      : repeated_(signature.operand(0).elements()), elements_(signature.output().elements()) {}

  void operator()(const Tensors& tensors) const {
    for (std::uint64_t i = 0; i < elements_; ++i) tensors.output()[i] = tensors.operand(0)[i % repeated_];
  }

 private:
  /// x's axes, but for leading ones of extent 1, are the last ones of the result.
  static bool is_tail(const TensorView& x, const TensorView& output) {
    if (x.elements() == 1) return true;
    std::size_t axes = x.rank();
    while (axes > 0 && x.extent_from_end(axes) == 1) --axes;
    for (std::size_t axis = 1; axis <= axes; ++axis) {
      if (x.extent_from_end(axis) != output.extent_from_end(axis)) return false;
    }
    return true;
  }
  std::uint64_t repeated_, elements_;
};

TENON_CAPSULES capsules = join(exact<"permute", Transpose>, exact<"broadcast", Broadcast>);

}  // namespace
}  // namespace acme
