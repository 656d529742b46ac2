// Sums along axes, in the order of the sixteen-lane tree that the SDK brings.
#include "kernel.h"

namespace acme {
namespace {

/// A tensor as `outer` blocks of `summed` rows of `inner` elements, where the axes that are summed are neighbours.
struct Blocks {
  std::uint64_t outer = 1, summed = 1, inner = 1;
  bool are_neighbours = true;

  explicit Blocks(const SignatureView& signature) {
    const TensorView x = signature.operand(0);
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      const auto extent = static_cast<std::uint64_t>(x.extent(axis));
      if (!is_summed(signature, axis)) {
        (seen_ ? inner : outer) *= extent;
        ended_ = seen_;
        continue;
      }
      are_neighbours = are_neighbours && !ended_;
      seen_ = true;
      summed *= extent;
    }
  }

 private:
  /// No axis named means all; negative ones count from the end.
  static bool is_summed(const SignatureView& signature, std::size_t axis) {
    const auto axes = signature.integers("axes");
    const auto rank = static_cast<std::int64_t>(signature.operand(0).rank());
    const auto is_this = [&](std::int64_t named) {
      return static_cast<std::size_t>(named < 0 ? named + rank : named) == axis;
    };
    return axes.empty() || std::any_of(axes.begin(), axes.end(), is_this);
  }
  bool seen_ = false, ended_ = false;
};

class ReduceSum {
 public:
  using dtypes = float(float);
  static constexpr auto attributes = names("axes", "keep_dims");  // keep_dims matters to the shape alone
  static constexpr tenon_numerics numerics = strict_numerics(TENON_REDUCTION_FIXED_TREE);

  static bool supports(const SignatureView& signature, Reason& why) {
    if (Blocks(signature).are_neighbours) return true;
    return why.decline("sums along neighbouring axes: axes ", signature.integers("axes"));
  }

  explicit ReduceSum(const SignatureView& signature) : blocks_(signature) {}

  void operator()(const Tensors& tensors) const {
    float* output = tensors.output();
    for (std::uint64_t block = 0; block < blocks_.outer; ++block) {
      const float* x = tensors.operand(0) + block * blocks_.summed * blocks_.inner;
      for (std::uint64_t i = 0; i < blocks_.inner; ++i) *output++ = sum(x, i);
    }
  }

 private:
  float sum(const float* x, std::uint64_t column) const {
    return strict::tree_sum<float>(blocks_.summed, [&](std::uint64_t i) { return x[i * blocks_.inner + column]; });
  }
  Blocks blocks_;
};

TENON_CAPSULES capsules = exact<"reduce_sum", ReduceSum>;

}  // namespace
}  // namespace acme
