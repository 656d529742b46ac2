// Normalisers and losses: what is done to rows along the last axis.
#include "kernel.h"
#include "masks.h"
#include "sums.h"

namespace tenon::metal {
namespace {

constexpr tenon_numerics tree_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

/// A pass over rows, bound by the caller.
Pass& over_rows(Plan& plan, const char* kernel, Rows rows, double parameter = 0) {
  Pass& pass = plan.add(kernel).by_teams(rows.count);
  pass.constants = tenon_metal::Rows{count32(rows.count), count32(rows.length), static_cast<float>(parameter)};
  return pass;
}

template <plugin::FixedText Name>
struct Normaliser {
  using dtypes = float(float);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    Plan plan;
    over_rows(plan, plugin::detail::text_of<Name>.characters, Rows::of(s.output())).reads(s, 0).writes(s);
    return plan;
  }
};

/// (x, result, cotangent)
template <plugin::FixedText Name>
struct NormaliserVjp {
  using dtypes = float(float, float, float);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    Plan plan;
    over_rows(plan, plugin::detail::text_of<Name>.characters, Rows::of(s.output())).reads(s, 1).reads(s, 2).writes(s);
    return plan;
  }
};

/// (x, mask)
struct HardMaskedSoftmax {
  using dtypes = float(float, float);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    if (s.operand(1).elements() != s.operand(0).elements()) {
      plugin::refuse("[hard_masked_softmax] x ", s.operand(0).shape(), ", mask ", s.operand(1).shape());
    }
    const Rows rows = Rows::of(s.output());
    Plan plan;
    Pass& pass = plan.add("rows_masked_softmax").reads(s, 0).reads(s, 1).writes(s).by_teams(rows.count);
    pass.constants = masked_rows(Walk(), rows.count, rows.count, rows.length);  // one matrix, which begins at 0
    return plan;
  }
};

/// Refuses vectors that do not have one element for each of the `count` parts of x.
void check_vectors(const SignatureView& s, std::uint64_t count) {
  for (std::uint32_t i = 1; i < s.operand_count(); ++i) {
    if (s.operand(i).elements() == count) continue;
    plugin::refuse("[", s.op(), "] x ", s.operand(0).shape(), ", operand ", i, " ", s.operand(i).shape());
  }
}

/// (x, weight, bias)
struct LayerNorm {
  using dtypes = float(float, float, float);
  static constexpr auto attributes = plugin::names("epsilon");
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const Rows rows = Rows::of(s.output());
    check_vectors(s, rows.length);
    Plan plan;
    over_rows(plan, "rows_layer_norm", rows, s.real("epsilon", 1e-5)).reads(s, 0).reads(s, 1).reads(s, 2).writes(s);
    return plan;
  }
};

/// (x, mean, variance, weight, bias): x is planes of one channel each, the channels in turn.
struct BatchNorm {
  using dtypes = float(float, float, float, float, float);
  static constexpr auto attributes = plugin::names("epsilon");
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0);
    if (x.rank() < 2) plugin::refuse("[batch_norm] x ", x.shape(), ", expected (batch, channels, ...)");
    const auto channels = static_cast<std::uint64_t>(x.extent(1));
    check_vectors(s, channels);
    std::uint64_t plane = 1;
    for (std::size_t axis = 2; axis < x.rank(); ++axis) plane *= static_cast<std::uint64_t>(x.extent(axis));
    Plan plan;
    Pass& pass = plan.add("planes_batch_norm");
    for (std::uint32_t i = 0; i < 5; ++i) pass.reads(s, i);
    pass.writes(s).over(x.elements());
    pass.constants = tenon_metal::Planes{count32(x.elements()), count32(channels), count32(plane),
                                         static_cast<float>(s.real("epsilon", 1e-5))};
    return plan;
  }
};

// -- losses -------------------------------------------------------------------------------------------------

using Label = std::uint32_t;

struct MseLoss {
  using dtypes = float(float, float);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const std::uint64_t elements = s.operand(0).elements();
    if (s.operand(1).elements() != elements) {
      plugin::refuse("[mse_loss] prediction ", s.operand(0).shape(), ", target ", s.operand(1).shape());
    }
    Plan plan;
    TreeSum{"reductions_squares",
            {Slot::operand(s, 0), Slot::operand(s, 1)},
            Groups::dense(1, elements),
            true,
            static_cast<float>(elements)}
        .append(plan, Slot::output(s));
    return plan;
  }
};

Rows labelled_rows(const SignatureView& s, std::uint32_t labels) {
  const TensorView logits = s.operand(0);
  const Rows rows = Rows::of(logits);
  if (logits.rank() == 0 || s.operand(labels).elements() * rows.length != logits.elements()) {
    plugin::refuse("[", s.op(), "] logits ", logits.shape(), ", labels ", s.operand(labels).shape());
  }
  return rows;
}

struct CrossEntropy {
  using dtypes = float(float, Label);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const Rows rows = labelled_rows(s, 1);
    Plan plan;
    const Slot losses = plan.take(rows.count * sizeof(float));
    over_rows(plan, "rows_cross_entropy", rows).reads(s, 0).reads(s, 1).bind(losses);
    TreeSum{"reductions_sum", {losses}, Groups::dense(1, rows.count), true, static_cast<float>(rows.count)}.append(
        plan, Slot::output(s));
    return plan;
  }
};

/// (logits, upstream, labels)
struct CrossEntropyGrad {
  using dtypes = float(float, float, Label);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const Rows rows = labelled_rows(s, 2);
    if (s.operand(1).elements() != 1) {
      plugin::refuse("[cross_entropy_grad] upstream ", s.operand(1).shape(), ", expected one element");
    }
    Plan plan;
    over_rows(plan, "rows_cross_entropy_grad", rows, static_cast<double>(rows.count))
        .reads(s, 0)
        .reads(s, 1)
        .reads(s, 2)
        .writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules = plugin::join(
    strict<"softmax", Normaliser<"rows_softmax">>, strict<"log_softmax", Normaliser<"rows_log_softmax">>,
    strict<"softmax.vjp", NormaliserVjp<"rows_softmax_vjp">>,
    strict<"log_softmax.vjp", NormaliserVjp<"rows_log_softmax_vjp">>, strict<"hard_masked_softmax", HardMaskedSoftmax>,
    strict<"layer_norm", LayerNorm>, strict<"batch_norm", BatchNorm>, strict<"mse_loss", MseLoss>,
    strict<"cross_entropy", CrossEntropy>, strict<"cross_entropy_grad", CrossEntropyGrad>,
    fast<"softmax", Normaliser<"fast_softmax">>, fast<"log_softmax", Normaliser<"fast_log_softmax">>);

}  // namespace
}  // namespace tenon::metal
