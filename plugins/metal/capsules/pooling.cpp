// Pooling: each window of a plane becomes one element. Planes are independent.
#include "kernel.h"
#include "taps.h"

namespace tenon::metal {
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

Pass& over(Plan& plan, const char* kernel, const Taps& taps, std::uint64_t count, double parameter) {
  Pass& pass = plan.add(kernel).over(count);
  tenon_metal::Pooling constants{};
  taps.put(constants);
  constants.count = count32(count);
  constants.parameter = static_cast<float>(parameter);
  pass.constants = constants;
  return pass;
}

struct MaxPool {
  using dtypes = float(float);
  static constexpr auto attributes = pool_attributes;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.operand(0), s.output()).inside();
    Plan plan;
    over(plan, "pooling_max", taps, s.output().elements(), 0).reads(s, 0).writes(s);
    return plan;
  }
};

/// (x, upstream): each window's upstream goes to its first greatest element, NaN being greater than any number.
struct MaxPoolGrad {
  using dtypes = float(float, float);
  static constexpr auto attributes = pool_attributes;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.output(), s.operand(1)).inside();
    const std::uint64_t windows = s.operand(1).elements();
    Plan plan;
    const Slot winners = plan.take(windows * sizeof(std::uint32_t));
    over(plan, "pooling_winners", taps, windows, 0).reads(s, 0).bind(winners);
    over(plan, "pooling_max_grad", taps, s.output().elements(), 0).bind(winners).reads(s, 1).writes(s);
    return plan;
  }
};

struct AvgPool {
  using dtypes = float(float);
  static constexpr auto attributes = pool_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.operand(0), s.output());
    Plan plan;
    over(plan, "pooling_avg", taps.inside(), s.output().elements(), static_cast<double>(taps.kernel()))
        .reads(s, 0)
        .writes(s);
    return plan;
  }
};

/// (x, upstream): each element of a window gets the same share.
struct AvgPoolGrad {
  using dtypes = float(float, float);
  static constexpr auto attributes = pool_attributes;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.output(), s.operand(1));
    Plan plan;
    over(plan, "pooling_avg_grad", taps.inside(), s.output().elements(), static_cast<double>(taps.kernel()))
        .reads(s, 1)
        .writes(s);
    return plan;
  }
};

struct SmoothMaxPool {
  using dtypes = float(float);
  static constexpr auto attributes = smooth_pool_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.operand(0), s.output());
    Plan plan;
    over(plan, "pooling_smooth", taps, s.output().elements(), s.real("beta", 1)).reads(s, 0).writes(s);
    return plan;
  }
};

/// (x, upstream): each element of a window gets its weight among them.
struct SmoothMaxPoolGrad {
  using dtypes = float(float, float);
  static constexpr auto attributes = smooth_pool_attributes;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }
  Plan plan(const SignatureView& s) const {
    const Taps taps = taps_of(s, s.output(), s.operand(1));
    const std::uint64_t windows = s.operand(1).elements();
    const double beta = s.real("beta", 1);
    Plan plan;
    const Slot peaks = plan.take(windows * sizeof(float)), sums = plan.take(windows * sizeof(float));
    over(plan, "pooling_peaks", taps, windows, beta).reads(s, 0).bind(peaks).bind(sums);
    over(plan, "pooling_smooth_grad", taps, s.output().elements(), beta)
        .reads(s, 0)
        .reads(s, 1)
        .bind(peaks)
        .bind(sums)
        .writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules =
    plugin::join(strict<"max_pool", MaxPool>, strict<"max_pool_grad", MaxPoolGrad>, strict<"avg_pool", AvgPool>,
                 strict<"avg_pool_grad", AvgPoolGrad>, strict<"smooth_max_pool", SmoothMaxPool>,
                 strict<"smooth_max_pool_grad", SmoothMaxPoolGrad>);

}  // namespace
}  // namespace tenon::metal
