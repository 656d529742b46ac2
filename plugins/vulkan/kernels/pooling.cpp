// Pooling: each window of a plane becomes one element. Planes are independent.
#include "kernel.h"
#include "taps.h"

namespace tenon::vulkan {
namespace {

constexpr auto pool_attributes = plugin::names("kernel", "stride", "padding");
constexpr auto smooth_pool_attributes = plugin::names("kernel", "stride", "padding", "beta");
constexpr tenon_numerics fold_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

/// Planes of `x` (batch, channels, spatial...) and of what pooling makes of them.
Taps taps_of(const SignatureView& s, const TensorView& x, const TensorView& pooled) {
  if (x.rank() < 3 || pooled.rank() != x.rank() || pooled.extent(0) != x.extent(0) || pooled.extent(1) != x.extent(1)) {
    plugin::refuse("[", s.op(), "] x ", x.shape(), ", pooled ", pooled.shape());
  }
  return Taps::of(s, x.shape().subspan(2), s.integers("kernel"), pooled.shape().subspan(2), true);
}

Pass& over(Plan& plan, std::uint32_t shader_number, const Taps& taps, std::uint64_t count, double parameter,
           bool wide) {
  Pass& pass = plan.add(shader_number).over(count);
  taps.put(pass.push);
  pass.push.count(count).real(parameter, wide);
  return pass;
}

template <class T>
struct MaxPool {
  using dtypes = T(T);
  static constexpr auto attributes = pool_attributes;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.operand(0), s.output()).inside();
    Plan plan;
    over(plan, shader("pooling.max"), taps, s.output().elements(), 0, binary64(s)).reads(s, 0).writes(s);
    return plan;
  }
};

/// (x, upstream): each window's upstream goes to its first greatest element, NaN being greater than any number.
template <class T>
struct MaxPoolGrad {
  using dtypes = T(T, T);
  static constexpr auto attributes = pool_attributes;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.output(), s.operand(1)).inside();
    const std::uint64_t windows = s.operand(1).elements();
    Plan plan;
    const Slot winners = plan.take(windows * sizeof(std::uint32_t));
    over(plan, shader("pooling.winners"), taps, windows, 0, binary64(s)).reads(s, 0).bind(winners);
    over(plan, shader("pooling.max_grad"), taps, s.output().elements(), 0, binary64(s))
        .bind(Plan::read(winners))
        .reads(s, 1)
        .writes(s);
    return plan;
  }
};

template <class T>
struct AvgPool {
  using dtypes = T(T);
  static constexpr auto attributes = pool_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.operand(0), s.output());
    Plan plan;
    over(plan, shader("pooling.avg"), taps.inside(), s.output().elements(), static_cast<double>(taps.kernel()),
         binary64(s))
        .reads(s, 0)
        .writes(s);
    return plan;
  }
};

/// (x, upstream): each element of a window gets the same share.
template <class T>
struct AvgPoolGrad {
  using dtypes = T(T, T);
  static constexpr auto attributes = pool_attributes;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.output(), s.operand(1));
    Plan plan;
    over(plan, shader("pooling.avg_grad"), taps.inside(), s.output().elements(), static_cast<double>(taps.kernel()),
         binary64(s))
        .reads(s, 1)
        .writes(s);
    return plan;
  }
};

template <class T>
struct SmoothMaxPool {
  using dtypes = T(T);
  static constexpr auto attributes = smooth_pool_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.operand(0), s.output());
    Plan plan;
    over(plan, shader("pooling.smooth"), taps, s.output().elements(), s.real("beta", 1), binary64(s))
        .reads(s, 0)
        .writes(s);
    return plan;
  }
};

/// (x, upstream): each element of a window gets its weight among them.
template <class T>
struct SmoothMaxPoolGrad {
  using dtypes = T(T, T);
  static constexpr auto attributes = smooth_pool_attributes;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.output(), s.operand(1));
    const std::uint64_t windows = s.operand(1).elements();
    const double beta = s.real("beta", 1);
    Plan plan;
    const Slot peaks = plan.take(windows * sizeof(T)), sums = plan.take(windows * sizeof(T));
    over(plan, shader("pooling.peaks"), taps, windows, beta, binary64(s)).reads(s, 0).bind(peaks).bind(sums);
    over(plan, shader("pooling.smooth_grad"), taps, s.output().elements(), beta, binary64(s))
        .reads(s, 0)
        .reads(s, 1)
        .bind(Plan::read(peaks))
        .bind(Plan::read(sums))
        .writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules =
    plugin::join(both<"max_pool", MaxPool>, both<"max_pool_grad", MaxPoolGrad>, both<"avg_pool", AvgPool>,
                 both<"avg_pool_grad", AvgPoolGrad>, both<"smooth_max_pool", SmoothMaxPool>,
                 both<"smooth_max_pool_grad", SmoothMaxPoolGrad>);

}  // namespace
}  // namespace tenon::vulkan
