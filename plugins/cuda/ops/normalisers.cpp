// Normalisers: rows along the last axis, each by a team of threads (kernels/teams.h).
#include "native.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "normalisers";

template <class T, FixedText kernel>
struct OfRows : InPlace, TreeSums {
  using dtypes = T(T);
  static void plan(Plan& plan) {
    const Rows rows = Rows::of(plan.signature().output());
    plan.launch(family, plugin::detail::text_of<kernel>.characters, rows.blocks(), rows.count, rows.length, Output{},
                Operand{0});
  }
};

/// (x, result, cotangent)
template <class T, FixedText kernel>
struct VjpOfRows : NotDifferentiable, TreeSums {
  using dtypes = T(T, T, T);
  static void plan(Plan& plan) {
    const Rows rows = Rows::of(plan.signature().output());
    plan.launch(family, plugin::detail::text_of<kernel>.characters, rows.blocks(), rows.count, rows.length, Output{},
                Operand{1}, Operand{2});
  }
};

template <class T>
using Softmax = OfRows<T, "softmax">;
template <class T>
using LogSoftmax = OfRows<T, "log_softmax">;
template <class T>
using SoftmaxVjp = VjpOfRows<T, "softmax_vjp">;
template <class T>
using LogSoftmaxVjp = VjpOfRows<T, "log_softmax_vjp">;

/// (x, mask); the mask's place may be taken, too: an element of it is not read again once written.
template <class T, FixedText kernel>
struct MaskedOfRows : InPlace, TreeSums {
  using dtypes = T(T, T);
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    if (s.operand(1).elements() != s.operand(0).elements())
      refuse("[hard_masked_softmax] x ", s.operand(0).shape(), ", mask ", s.operand(1).shape());
    const Rows rows = Rows::of(s.output());
    plan.launch(family, plugin::detail::text_of<kernel>.characters, rows.blocks(), rows.count, rows.length, Output{},
                Operand{0}, Operand{1});
  }
};
template <class T>
using HardMaskedSoftmax = MaskedOfRows<T, "hard_masked_softmax">;

struct FastLogSoftmaxVjp : VjpOfRows<float, "log_softmax_vjp_fast"> {
  static constexpr tenon_numerics numerics = NativeFast::numerics;
};
struct FastHardMaskedSoftmax : MaskedOfRows<float, "hard_masked_softmax_fast"> {
  static constexpr tenon_numerics numerics = NativeFast::numerics;
};

/// Refuses vectors that do not have one element for each of the `count` parts of x.
void check_vectors(const SignatureView& signature, std::uint64_t count) {
  for (std::uint32_t i = 1; i < signature.operand_count(); ++i) {
    if (signature.operand(i).elements() == count) continue;
    refuse("[", signature.op(), "] x ", signature.operand(0).shape(), ", operand ", i, " ",
           signature.operand(i).shape());
  }
}

/// (x, weight, bias)
template <class T>
struct LayerNorm : TreeSums {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = names("epsilon");
  static void plan(Plan& plan) {
    const Rows rows = Rows::of(plan.signature().output());
    check_vectors(plan.signature(), rows.length);
    plan.launch(family, "layer_norm", rows.blocks(), rows.count, rows.length, Output{}, Operand{0}, Operand{1},
                Operand{2}, static_cast<T>(plan.signature().real("epsilon", 1e-5)));
  }
};

/// (x, mean, variance, weight, bias): x is planes of one channel each, the channels in turn.
template <class T>
struct BatchNorm {
  using dtypes = T(T, T, T, T, T);
  static constexpr auto attributes = names("epsilon");
  static void plan(Plan& plan) {
    const TensorView x = plan.signature().operand(0);
    if (x.rank() < 2) refuse("[batch_norm] x ", x.shape(), ", expected (batch, channels, ...)");
    const auto channels = static_cast<std::uint64_t>(x.extent(1));
    check_vectors(plan.signature(), channels);
    const std::uint64_t n = x.elements();
    if (n == 0) return;
    const std::uint64_t plane = n / (static_cast<std::uint64_t>(x.extent(0)) * channels);
    const std::uint64_t threads = plane % pack_width<T> == 0 ? n / pack_width<T> : n;
    plan.launch_threads(family, "batch_norm", threads, n, channels, plane, Output{}, Operand{0}, Operand{1}, Operand{2},
                        Operand{3}, Operand{4}, static_cast<T>(plan.signature().real("epsilon", 1e-5)));
  }
};

TENON_CAPSULES capsules =
    plugin::join(both<"softmax", Softmax>, both<"log_softmax", LogSoftmax>, both<"softmax.vjp", SoftmaxVjp>,
                 both<"log_softmax.vjp", LogSoftmaxVjp>, both<"hard_masked_softmax", HardMaskedSoftmax>,
                 both<"layer_norm", LayerNorm>, both<"batch_norm", BatchNorm>,
                 fast<"log_softmax.vjp", FastLogSoftmaxVjp>, fast<"hard_masked_softmax", FastHardMaskedSoftmax>);

}  // namespace
}  // namespace tenon::gpu
