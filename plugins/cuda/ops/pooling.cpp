// Pooling: each window of a plane becomes one element (kernels/pooling.cu).
#include "taps.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "pooling";
constexpr auto pool_attributes = names("kernel", "stride", "padding");
constexpr auto smooth_pool_attributes = names("kernel", "stride", "padding", "beta");

/// Planes of `x` (batch, channels, spatial...) and of what pooling makes of them.
struct Planes {
  TapShape taps;
  std::uint64_t count;

  Planes(const SignatureView& signature, const TensorView& x, const TensorView& pooled)
      : taps(taps_of(signature, x, pooled)),
        count(static_cast<std::uint64_t>(x.extent(0)) * static_cast<std::uint64_t>(x.extent(1))) {}

  std::uint64_t windows() const { return count * static_cast<std::uint64_t>(taps.outputs()); }
  std::uint64_t elements() const { return count * static_cast<std::uint64_t>(taps.inputs()); }

 private:
  static TapShape taps_of(const SignatureView& signature, const TensorView& x, const TensorView& pooled) {
    if (x.rank() < 3 || pooled.rank() != x.rank() || pooled.extent(0) != x.extent(0) ||
        pooled.extent(1) != x.extent(1)) {
      refuse("[", signature.op(), "] x ", x.shape(), ", pooled ", pooled.shape());
    }
    return {signature, x.shape().subspan(2), signature.integers("kernel"), pooled.shape().subspan(2), true};
  }
};

/// A kernel with so many threads over planes with these taps.
template <class... A>
void launch(Plan& plan, const std::string& kernel, const TapShape& shape, std::uint64_t threads, std::uint64_t planes,
            A... arguments) {
  if (threads == 0) return;
  shape.with_taps([&](const auto& taps) {
    plan.launch_threads(family, kernel + shape.suffix(), threads, taps, planes, arguments...);
  });
}

template <class T>
struct MaxPool {
  using dtypes = T(T);
  static constexpr auto attributes = pool_attributes;
  static void plan(Plan& plan) {
    const Planes planes(plan.signature(), plan.signature().operand(0), plan.signature().output());
    launch(plan, "max_pool", planes.taps.inside(), planes.windows(), planes.count, Output{}, Operand{0});
  }
};

/// (x, upstream): each window's upstream goes to its first greatest element.
template <class T>
struct MaxPoolGrad : Folds, NotDifferentiable {
  using dtypes = T(T, T);
  static constexpr auto attributes = pool_attributes;
  static void plan(Plan& plan) {
    const Planes planes(plan.signature(), plan.signature().output(), plan.signature().operand(1));
    const TapShape taps = planes.taps.inside();
    const Workspace winners = plan.workspace(planes.windows() * sizeof(std::int32_t));
    launch(plan, "max_pool_winners", taps, planes.windows(), planes.count, winners, Operand{0});
    launch(plan, "max_pool_grad", taps, planes.elements(), planes.count, Output{}, Operand{1}, winners);
  }
};

template <class T>
struct AvgPool : Folds {
  using dtypes = T(T);
  static constexpr auto attributes = pool_attributes;
  static void plan(Plan& plan) {
    const Planes planes(plan.signature(), plan.signature().operand(0), plan.signature().output());
    launch(plan, "avg_pool", planes.taps.inside(), planes.windows(), planes.count, Output{}, Operand{0},
           static_cast<T>(planes.taps.kernel()));
  }
};

/// (x, upstream): each element of a window gets the same share.
template <class T>
struct AvgPoolGrad : Folds, NotDifferentiable {
  using dtypes = T(T, T);
  static constexpr auto attributes = pool_attributes;
  static void plan(Plan& plan) {
    const Planes planes(plan.signature(), plan.signature().output(), plan.signature().operand(1));
    launch(plan, "avg_pool_grad", planes.taps.inside(), planes.elements(), planes.count, Output{}, Operand{1},
           static_cast<T>(planes.taps.kernel()));
  }
};

template <class T>
T beta_of(const Plan& plan) {
  return static_cast<T>(plan.signature().real("beta", 1));
}

struct StrictSmooth : Folds {
  static constexpr const char* suffix = "";
};
struct FastSmooth {
  static constexpr const char* suffix = "_fast";
};

/// Taps in the padding are zeros that take part.
template <class T, class Kind = StrictSmooth>
struct SmoothMaxPool : Kind {
  using dtypes = T(T);
  static constexpr auto attributes = smooth_pool_attributes;
  static void plan(Plan& plan) {
    const Planes planes(plan.signature(), plan.signature().operand(0), plan.signature().output());
    launch(plan, plugin::text("smooth_max_pool", Kind::suffix), planes.taps, planes.windows(), planes.count, Output{},
           Operand{0}, beta_of<T>(plan));
  }
};

/// (x, upstream): each element of a window gets its weight among them.
template <class T, class Kind = StrictSmooth>
struct SmoothMaxPoolGrad : Kind, NotDifferentiable {
  using dtypes = T(T, T);
  static constexpr auto attributes = smooth_pool_attributes;
  static void plan(Plan& plan) {
    const Planes planes(plan.signature(), plan.signature().output(), plan.signature().operand(1));
    const T beta = beta_of<T>(plan);
    const Workspace peaks = plan.workspace(planes.windows() * sizeof(T));
    const Workspace sums = plan.workspace(planes.windows() * sizeof(T));
    launch(plan, plugin::text("smooth_max_pool_windows", Kind::suffix), planes.taps, planes.windows(), planes.count,
           peaks, sums, Operand{0}, beta);
    launch(plan, plugin::text("smooth_max_pool_grad", Kind::suffix), planes.taps, planes.elements(), planes.count,
           Output{}, Operand{0}, Operand{1}, peaks, sums, beta);
  }
};

template <class T>
using StrictSmoothMaxPool = SmoothMaxPool<T>;
template <class T>
using StrictSmoothMaxPoolGrad = SmoothMaxPoolGrad<T>;

TENON_CAPSULES capsules = plugin::join(
    both<"max_pool", MaxPool>, both<"max_pool_grad", MaxPoolGrad>, both<"avg_pool", AvgPool>,
    both<"avg_pool_grad", AvgPoolGrad>, both<"smooth_max_pool", StrictSmoothMaxPool>,
    both<"smooth_max_pool_grad", StrictSmoothMaxPoolGrad>, fast<"smooth_max_pool", SmoothMaxPool<float, FastSmooth>>,
    fast<"smooth_max_pool_grad", SmoothMaxPoolGrad<float, FastSmooth>>);

}  // namespace
}  // namespace tenon::gpu
