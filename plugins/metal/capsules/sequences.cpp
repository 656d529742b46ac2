// Attention, a linear recurrence, and the first Fourier modes.
#include "kernel.h"
#include "masks.h"
#include "products.h"
#include "tenon/numerics.h"

namespace tenon::metal {
namespace {

/// (query, key, value, mask): matmul, scale, hard_masked_softmax and matmul.
struct ScaledDotProductAttention {
  using dtypes = float(float, float, float, float);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  Plan plan(const SignatureView& s) const {
    const TensorView query = s.operand(0), key = s.operand(1), value = s.operand(2), mask = s.operand(3);
    const std::uint64_t queries = extent(query, 2), keys = extent(key, 2), depth = extent(query, 1);
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (s.operand(i).rank() < 2) plugin::refuse("[", s.op(), "] operand ", i, " ", s.operand(i).shape());
    }
    if (extent(key, 1) != depth || extent(value, 2) != keys || extent(mask, 2) != queries || extent(mask, 1) != keys) {
      plugin::refuse("[", s.op(), "] query ", query.shape(), ", key ", key.shape(), ", value ", value.shape(),
                     ", mask ", mask.shape());
    }
    const Matrices matrices(s, 4);
    const std::uint64_t rows = matrices.count() * queries;
    Plan plan;
    const Slot scores = plan.take(rows * keys * sizeof(float));
    const auto factor = static_cast<float>(1 / tenon::strict::sqrt(static_cast<double>(depth)));
    add_product(plan, {"products_scores", "products_scores_small"}, {queries, depth, keys, matrices, 0, 1}, factor)
        .reads(s, 0)
        .reads(s, 1)
        .bind(scores);

    Pass& softmax = plan.add("rows_masked_softmax").bind(scores).reads(s, 3).bind(scores);
    Walk masks;
    for (std::size_t i = 0; i < matrices.extents.size(); ++i)
      masks.push_back(matrices.extents[i], matrices.strides[i][3]);
    softmax.by_teams(keys == 0 ? 0 : rows).constants = masked_rows(masks, queries, rows, keys);

    Product product{queries, keys, extent(value, 1), matrices, 0, 2};
    product.dense_left = static_cast<std::int64_t>(queries * keys);
    add_product(plan, {"products_matmul", "products_matmul_small"}, product).bind(scores).reads(s, 2).writes(s);
    return plan;
  }
};

/// The steps along the first axis of a scan, each of so many elements that know nothing of one another.
struct Steps {
  std::uint64_t count, size;

  explicit Steps(const SignatureView& s) : count(0), size(0) {
    const TensorView output = s.output();
    if (output.rank() == 0) plugin::refuse("[", s.op(), "] found a scalar, expected a first axis");
    count = static_cast<std::uint64_t>(output.extent(0));
    size = count == 0 ? 0 : output.elements() / count;
  }
  void check(const SignatureView& s, std::uint32_t operand, std::uint64_t elements) const {
    if (count == 0 || s.operand(operand).elements() == elements) return;
    plugin::refuse("[", s.op(), "] operand ", operand, " ", s.operand(operand).shape(), ", result ",
                   s.output().shape());
  }
};

/// (a, b, x, h0)
struct SelectiveScan {
  using dtypes = float(float, float, float, float);
  static constexpr bool in_place = true;  // an element is not read again once written
  Plan plan(const SignatureView& s) const {
    const Steps steps(s);
    for (std::uint32_t i = 0; i < 3; ++i) steps.check(s, i, steps.count * steps.size);
    steps.check(s, 3, steps.size);
    Plan plan;
    Pass& pass = plan.add("sequences_scan").reads(s, 0).reads(s, 1).reads(s, 2).reads(s, 3).writes(s);
    pass.over(steps.size).constants = tenon_metal::Scan{count32(steps.size), count32(steps.count)};
    return plan;
  }
};

/// (a, upstream)
struct SelectiveScanGrad {
  using dtypes = float(float, float);
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Steps steps(s);
    for (std::uint32_t i = 0; i < 2; ++i) steps.check(s, i, steps.count * steps.size);
    Plan plan;
    Pass& pass = plan.add("sequences_scan_grad").reads(s, 0).reads(s, 1).writes(s);
    pass.over(steps.size).constants = tenon_metal::Scan{count32(steps.size), count32(steps.count)};
    return plan;
  }
};

// -- the first Fourier modes --------------------------------------------------------------------------------

struct Spectrum {
  std::uint64_t points, modes, inputs, outputs, samples = 1;

  Spectrum(const SignatureView& s, const TensorView& x, const TensorView& y, const TensorView& weight)
      : points(x.rank() < 2 ? 0 : extent(x, 1)),
        modes(weight.rank() != 3 ? 0 : static_cast<std::uint64_t>(weight.extent(0))),
        inputs(extent(x, 2)),
        outputs(extent(y, 2)) {
    if (x.rank() < 2 || weight.rank() != 3 || y.rank() != x.rank() || modes > points / 2 + 1 ||
        x.extent_from_end(2) != weight.extent(1) || y.extent_from_end(2) != weight.extent(2)) {
      plugin::refuse("[", s.op(), "] x ", x.shape(), ", weights ", weight.shape(), ", result ", y.shape());
    }
    for (std::size_t axis = 0; axis + 2 < x.rank(); ++axis) samples *= static_cast<std::uint64_t>(x.extent(axis));
  }
  Pass& add(Plan& plan, const char* kernel, std::uint64_t count) const {
    Pass& pass = plan.add(kernel).over(count);
    pass.constants = tenon_metal::Fourier{count32(count),  count32(points),  count32(modes),
                                          count32(inputs), count32(outputs), count32(samples)};
    return pass;
  }
  std::uint64_t modes_bytes(std::uint64_t channels) const { return samples * channels * 2 * modes * sizeof(float); }
};

/// (x, w_re, w_im)
struct FftFno {
  using dtypes = float(float, float, float);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  Plan plan(const SignatureView& s) const {
    const Spectrum f(s, s.operand(0), s.output(), s.operand(1));
    if (s.operand(2).elements() != s.operand(1).elements())
      plugin::refuse("[fft_fno] w_re ", s.operand(1).shape(), ", w_im ", s.operand(2).shape());
    Plan plan;
    const Slot turns = plan.take(2 * f.points * sizeof(float));
    const Slot from = plan.take(f.modes_bytes(f.inputs)), to = plan.take(f.modes_bytes(f.outputs));
    f.add(plan, "fourier_turns", f.points).bind(turns);
    f.add(plan, "fourier_transform", f.samples * f.inputs * f.modes).reads(s, 0).bind(turns).bind(from);
    f.add(plan, "fourier_mix", f.samples * f.outputs * f.modes).bind(from).reads(s, 1).reads(s, 2).bind(to);
    f.add(plan, "fourier_restore", s.output().elements()).bind(to).bind(turns).writes(s);
    return plan;
  }
};

/// (x, upstream, weight): the gradients for w_re, then for w_im.
struct FftFnoGradWeight {
  using dtypes = float(float, float, float);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  Plan plan(const SignatureView& s) const {
    const Spectrum f(s, s.operand(0), s.operand(1), s.operand(2));
    const std::uint64_t weights = s.operand(2).elements();
    if (s.output().elements() != 2 * weights) {
      plugin::refuse("[fft_fno_grad_weight] weight ", s.operand(2).shape(), ", result ", s.output().shape());
    }
    Plan plan;
    const Slot turns = plan.take(2 * f.points * sizeof(float));
    const Slot x = plan.take(f.modes_bytes(f.inputs)), y = plan.take(f.modes_bytes(f.outputs));
    f.add(plan, "fourier_turns", f.points).bind(turns);
    f.add(plan, "fourier_transform", f.samples * f.inputs * f.modes).reads(s, 0).bind(turns).bind(x);
    f.add(plan, "fourier_transform", f.samples * f.outputs * f.modes).reads(s, 1).bind(turns).bind(y);
    f.add(plan, "fourier_grad_weight", weights).bind(x).bind(y).writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules =
    plugin::join(strict<"scaled_dot_product_attention", ScaledDotProductAttention>,
                 strict<"selective_scan", SelectiveScan>, strict<"selective_scan_grad", SelectiveScanGrad>,
                 strict<"fft_fno", FftFno>, strict<"fft_fno_grad_weight", FftFnoGradWeight>);

}  // namespace
}  // namespace tenon::metal
