// Attention and a linear recurrence.
#include "products.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "sequences";

struct StrictAttention : TreeSums {
  static constexpr const char *products = StrictProducts::kind, *weights = "attention_weights";
};
struct FastAttention {
  static constexpr const char *products = FusedProducts::kind, *weights = "attention_weights_fast";
};

/// (query, key, value, mask): a product, the weights in its place, a product.
template <class T, class Kind = StrictAttention>
struct ScaledDotProductAttention : Kind {
  using dtypes = T(T, T, T, T);

  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    check(s);
    const TensorView query = s.operand(0), key = s.operand(1), value = s.operand(2), output = s.output();
    const std::uint64_t queries = extent(query, 2), keys = extent(key, 2), depth = extent(query, 1);
    const Walk matrices = matrices_of(output, output), masks = matrices_of(s.operand(3), output);
    const Rows rows{matrices.count * queries, keys};
    const Workspace scores = plan.workspace(rows.count * keys * sizeof(T));
    Walk of_scores;
    append_axis(of_scores, static_cast<std::int64_t>(matrices.count), static_cast<std::int64_t>(queries * keys));
    const T factor = static_cast<T>(1 / strict::sqrt(static_cast<double>(depth)));

    multiply<T>(plan, "matmul_transposed", Kind::products, {queries, keys, depth}, matrices.count,
                matrices_of(query, output), matrices_of(key, output), scores, Operand{0}, Operand{1});
    if (keys != 0)
      plan.launch(family, Kind::weights, rows.blocks(), rows.count, keys, queries, masks, scores, Operand{3}, factor);
    multiply<T>(plan, "matmul", Kind::products, {queries, extent(value, 1), keys}, matrices.count, of_scores,
                matrices_of(value, output), Output{}, scores, Operand{2});
  }

 private:
  static void check(const SignatureView& s) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (s.operand(i).rank() < 2) refuse("[", s.op(), "] operand ", i, " ", s.operand(i).shape());
    }
    const TensorView query = s.operand(0), key = s.operand(1), value = s.operand(2), mask = s.operand(3);
    if (extent(key, 1) == extent(query, 1) && extent(value, 2) == extent(key, 2) &&
        extent(mask, 2) == extent(query, 2) && extent(mask, 1) == extent(key, 2)) {
      return;
    }
    refuse("[", s.op(), "] query ", query.shape(), ", key ", key.shape(), ", value ", value.shape(), ", mask ",
           mask.shape());
  }
};

/// The steps along the first axis of a scan, each of so many elements that know nothing of one another.
struct Steps {
  std::uint64_t count, size;

  static Steps of(const SignatureView& signature) {
    const TensorView output = signature.output();
    if (output.rank() == 0) refuse("[", signature.op(), "] found a scalar, expected a first axis");
    const auto count = static_cast<std::uint64_t>(output.extent(0));
    return {count, count == 0 ? 0 : output.elements() / count};
  }
  void check(const SignatureView& signature, std::uint32_t operand, std::uint64_t elements) const {
    if (count == 0 || signature.operand(operand).elements() == elements) return;
    refuse("[", signature.op(), "] operand ", operand, " ", signature.operand(operand).shape(), ", result ",
           signature.output().shape());
  }
};

/// (a, b, x, h0); an element is not read again once written.
template <class T>
struct SelectiveScan : InPlace {
  using dtypes = T(T, T, T, T);
  static void plan(Plan& plan) {
    const Steps steps = Steps::of(plan.signature());
    for (std::uint32_t i = 0; i < 3; ++i) steps.check(plan.signature(), i, steps.count * steps.size);
    steps.check(plan.signature(), 3, steps.size);
    plan.count_flops(3 * steps.count * steps.size);
    plan.launch_threads(family, "selective_scan", steps.size, steps.count, steps.size, Output{}, Operand{0}, Operand{1},
                        Operand{2}, Operand{3});
  }
};

/// (a, upstream)
template <class T>
struct SelectiveScanGrad : NotDifferentiable {
  using dtypes = T(T, T);
  static void plan(Plan& plan) {
    const Steps steps = Steps::of(plan.signature());
    for (std::uint32_t i = 0; i < 2; ++i) steps.check(plan.signature(), i, steps.count * steps.size);
    plan.launch_threads(family, "selective_scan_grad", steps.size, steps.count, steps.size, Output{}, Operand{0},
                        Operand{1});
  }
};

template <class T>
using Attention = ScaledDotProductAttention<T>;

TENON_CAPSULES capsules =
    plugin::join(both<"scaled_dot_product_attention", Attention>,
                 fast<"scaled_dot_product_attention", ScaledDotProductAttention<float, FastAttention>>,
                 both<"selective_scan", SelectiveScan>, both<"selective_scan_grad", SelectiveScanGrad>);

}  // namespace
}  // namespace tenon::gpu
