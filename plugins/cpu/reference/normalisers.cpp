// Normalisers: every row along the last axis becomes a distribution, or its logarithm.
#include "provider.h"
#include "rows.h"

namespace tenon::cpu::reference {
namespace {

template <class T>
struct SoftmaxRow {
  static void apply(const T* x, T* output, std::uint64_t count) { softmax_row(x, output, count); }
};

template <class T>
struct LogSoftmaxRow {
  static void apply(const T* x, T* output, std::uint64_t count) {
    const T m = greatest(x, count);
    const T log_sum = log_of_sum(x, count, m);
    for (std::uint64_t i = 0; i < count; ++i) output[i] = (x[i] - m) - log_sum;
  }
};

template <class T, template <class> class Row>
class Normaliser {
 public:
  using dtypes = T(T);
  static constexpr bool in_place = true;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit Normaliser(const SignatureView& signature) : rows_(Rows::of(signature.output())) {}

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(20 * rows_.length);  // an exponential is some twenty operations
    plugin::for_ranges(rows_.count, grain, [=, length = rows_.length](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) Row<T>::apply(x + row * length, output + row * length, length);
    });
  }

 private:
  Rows rows_;
};

template <class T>
using Softmax = Normaliser<T, SoftmaxRow>;
template <class T>
using LogSoftmax = Normaliser<T, LogSoftmaxRow>;

TENON_CAPSULES capsules = plugin::join(both<"softmax", Softmax>, both<"log_softmax", LogSoftmax>);

}  // namespace
}  // namespace tenon::cpu::reference
