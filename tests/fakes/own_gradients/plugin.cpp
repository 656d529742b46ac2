// Own gradients of a third party, and no device: linear's whole gradient in one kernel, and that of an operation with
// an operand that has none. In strict numerics: the bits of the rules that they replace.
#include "tenon/plugin.hpp"
#include "tenon/numerics.h"

namespace {

using namespace tenon::plugin;
namespace strict = tenon::strict;

struct Acme : Provider {
  static constexpr FixedText prefix{"acme"};
  static constexpr const char* name = "acme";
  static constexpr const char* memory_domain = "host";
  static constexpr tenon_numerics numerics = strict_numerics();
};

/// (x, weight, bias, result, cotangent) gives a cotangent for each of the first three.
template <class T>
class LinearVjp {
 public:
  using dtypes = Results<T, T, T>(T, T, T, T, T);
  static constexpr bool differentiable = false;

  explicit LinearVjp(const SignatureView& signature)
      : outputs_(static_cast<std::uint64_t>(signature.operand(1).shape()[0])),
        inputs_(static_cast<std::uint64_t>(signature.operand(1).shape()[1])),
        rows_(outputs_ == 0 ? 0 : signature.operand(4).elements() / outputs_),
        x_elements_(signature.operand(0).elements()) {}

  void operator()(const Arguments& arguments) const {
    const T *x = arguments.operand<T>(0), *weight = arguments.operand<T>(1), *upstream = arguments.operand<T>(4);
    T *x_gradient = arguments.output<T>(0), *weight_gradient = arguments.output<T>(1);
    for (std::uint64_t i = 0; i < x_elements_; ++i)
      x_gradient[i] = fold(outputs_, [&, row = i / inputs_, column = i % inputs_](std::uint64_t k) {
        return upstream[row * outputs_ + k] * weight[k * inputs_ + column];
      });
    for (std::uint64_t i = 0; i < outputs_ * inputs_; ++i)
      weight_gradient[i] = fold(rows_, [&, output = i / inputs_, column = i % inputs_](std::uint64_t k) {
        return upstream[k * outputs_ + output] * x[k * inputs_ + column];
      });
    for (std::uint64_t j = 0; j < outputs_; ++j)
      arguments.output<T>(2)[j] =
          strict::tree_sum<T>(rows_, [&](std::uint64_t k) { return upstream[k * outputs_ + j]; });
  }

 private:
  template <class At>
  static T fold(std::uint64_t count, At at) {
    T sum = 0;
    for (std::uint64_t k = 0; k < count; ++k) sum += at(k);
    return sum;
  }
  std::uint64_t outputs_, inputs_, rows_, x_elements_;
};

/// (x, mask, result, cotangent): zeros for the mask, which has no gradient.
template <class T>
class HardMaskedSoftmaxVjp {
 public:
  using dtypes = Results<T, T>(T, T, T, T);
  static constexpr bool differentiable = false;

  explicit HardMaskedSoftmaxVjp(const SignatureView& signature)
      : length_(static_cast<std::uint64_t>(signature.operand(2).extent_from_end(1))),
        elements_(signature.operand(2).elements()) {}

  void operator()(const Arguments& arguments) const {
    for (std::uint64_t row = 0; row < elements_; row += length_) {
      const T *mask = arguments.operand<T>(1) + row, *y = arguments.operand<T>(2) + row;
      const T* cotangent = arguments.operand<T>(3) + row;
      const auto upstream = [=](std::uint64_t i) { return mask[i] != 0 ? cotangent[i] : T(0); };
      const T sum = strict::tree_sum<T>(length_, [=](std::uint64_t i) { return upstream(i) * y[i]; });
      for (std::uint64_t i = 0; i < length_; ++i) arguments.output<T>(0)[row + i] = y[i] * (upstream(i) - sum);
    }
    for (std::uint64_t i = 0; i < elements_; ++i) arguments.output<T>(1)[i] = 0;
  }

 private:
  std::uint64_t length_, elements_;
};

TENON_CAPSULES capsules = join(for_types<Acme, "linear.vjp", LinearVjp, float, double>,
                               for_types<Acme, "hard_masked_softmax.vjp", HardMaskedSoftmaxVjp, float, double>);

struct OwnGradients {
  static constexpr Identity identity{"own_gradients", "acme", "0.1.0"};
};

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer<OwnGradients>(query, reply);
}
