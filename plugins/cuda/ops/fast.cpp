// What modes without strict bits are served with, in binary32: the rules of the strict operations with other kernels.
#include "reduce.h"

namespace tenon::gpu {
namespace {

template <FixedText kernel>
struct Function : InPlace {
  using dtypes = float(float);
  static void plan(Plan& plan) {
    const std::uint64_t n = plan.signature().output().elements();
    plan.count_flops(n);
    plan.launch_threads("fast", plugin::detail::text_of<kernel>.characters, pack_threads<float>(n), n, Output{},
                        Operand{0});
  }
};

/// (x, upstream)
template <FixedText kernel>
struct Gradient : InPlace, NotDifferentiable {
  using dtypes = float(float, float);
  static void plan(Plan& plan) {
    const std::uint64_t n = plan.signature().output().elements();
    plan.count_flops(n);
    plan.launch_threads("fast", plugin::detail::text_of<kernel>.characters, pack_threads<float>(n), n, Output{},
                        Operand{0}, Operand{1});
  }
};

struct SafeLog : InPlace {
  using dtypes = float(float);
  static constexpr auto attributes = names("epsilon");
  static void plan(Plan& plan) {
    const std::uint64_t n = plan.signature().output().elements();
    plan.count_flops(n);
    plan.launch_threads("fast", "safe_log_fast", pack_threads<float>(n), n, Output{}, Operand{0},
                        static_cast<float>(plan.signature().real("epsilon", 1e-6)));
  }
};

template <FixedText kernel>
struct OfRows : InPlace {
  using dtypes = float(float);
  static void plan(Plan& plan) {
    const Rows rows = Rows::of(plan.signature().output());
    plan.launch("normalisers", plugin::detail::text_of<kernel>.characters, rows.blocks(), rows.count, rows.length,
                Output{}, Operand{0});
  }
};

using Softmax = OfRows<"softmax_fast">;
using LogSoftmax = OfRows<"log_softmax_fast">;

TENON_CAPSULES capsules = plugin::join(
    fast<"exp", Function<"exp_fast">>, fast<"log", Function<"log_fast">>, fast<"sin", Function<"sin_fast">>,
    fast<"cos", Function<"cos_fast">>, fast<"tanh", Function<"tanh_fast">>, fast<"erf", Function<"erf_fast">>,
    fast<"sigmoid", Function<"sigmoid_fast">>, fast<"softplus", Function<"softplus_fast">>,
    fast<"gelu", Function<"gelu_fast">>, fast<"gelu_grad", Gradient<"gelu_grad_fast">>,
    fast<"erf_grad", Gradient<"erf_grad_fast">>, fast<"safe_log", SafeLog>, fast<"softmax", Softmax>,
    fast<"log_softmax", LogSoftmax>);

}  // namespace
}  // namespace tenon::gpu
