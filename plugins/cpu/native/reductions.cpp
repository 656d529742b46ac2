// Sums and means along the last axis, in the reference's tree.
#include "provider.h"

#include <limits>

namespace tenon::cpu::native {
namespace {

template <class T>
struct Sum {
  static T of(T sum, std::uint64_t) { return sum; }
};
template <class T>
struct Mean {
  static T of(T sum, std::uint64_t count) {
    return count == 0 ? std::numeric_limits<T>::quiet_NaN() : sum / static_cast<T>(count);
  }
};

/// Is only the last axis reduced, or all of them as one?
bool reduces_neighbours(const SignatureView& signature) {
  const auto axes = signature.integers("axes");
  const auto rank = static_cast<std::int64_t>(signature.operand(0).rank());
  return axes.empty() || (axes.size() == 1 && rank > 0 && (axes[0] == -1 || axes[0] == rank - 1));
}

template <class T, template <class> class Rule>
class Reduction {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = plugin::names("axes", "keep_dims");  // keep_dims matters to the shape alone
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  static bool supports(const SignatureView& signature, plugin::Reason& why) {
    return reduces_neighbours(signature) || why.decline("serves sums along the last axis alone");
  }

  Reduction(const SignatureView& signature, tenon_device* device) : tree_sum_(kernels<T>(isa_of(device)).tree_sum) {
    const TensorView x = signature.operand(0);
    const bool is_whole = signature.integers("axes").empty();
    length_ = is_whole ? x.elements() : static_cast<std::uint64_t>(x.extent_from_end(1));
    groups_ = is_whole ? 1 : signature.output().elements();
  }

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    plugin::for_ranges(groups_, rows_per_range(length_), [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        output[i] = Rule<T>::of(length_ == 0 ? T(0) : tree_sum_(x + i * length_, length_), length_);
      }
    });
  }
  std::uint64_t flops() const { return groups_ * length_; }

 private:
  std::uint64_t length_, groups_;
  T (*tree_sum_)(const T*, std::uint64_t);
};

template <class T>
using ReduceSum = Reduction<T, Sum>;
template <class T>
using ReduceMean = Reduction<T, Mean>;

TENON_CAPSULES capsules = plugin::join(both<"reduce_sum", ReduceSum>, both<"reduce_mean", ReduceMean>);

}  // namespace
}  // namespace tenon::cpu::native
