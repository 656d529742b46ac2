// Normalisers and losses: what is done to rows along the last axis.
#include "kernel.h"
#include "sums.h"

namespace tenon::vulkan {
namespace {

constexpr tenon_numerics tree_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

/// A pass over rows, bound by the caller.
Pass& over_rows(Plan& plan, std::uint32_t shader_number, Rows rows, double parameter, bool wide) {
  Pass& pass = plan.add(shader_number).over(rows.count);
  pass.push.count(rows.count).count(rows.length).real(parameter, wide);
  return pass;
}

template <class T, std::uint32_t Shader>
struct Normaliser {
  using dtypes = T(T);
  static constexpr bool in_place = true;
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    Plan plan;
    over_rows(plan, Shader, Rows::of(s.output()), 0, binary64(s)).reads(s, 0).writes(s);
    return plan;
  }
};
template <class T>
using Softmax = Normaliser<T, shader("rows.softmax")>;
template <class T>
using LogSoftmax = Normaliser<T, shader("rows.log_softmax")>;

/// (x, result, cotangent)
template <class T, std::uint32_t Shader>
struct NormaliserVjp {
  using dtypes = T(T, T, T);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    Plan plan;
    over_rows(plan, Shader, Rows::of(s.output()), 0, binary64(s)).reads(s, 1).reads(s, 2).writes(s);
    return plan;
  }
};
template <class T>
using SoftmaxVjp = NormaliserVjp<T, shader("rows.softmax_vjp")>;
template <class T>
using LogSoftmaxVjp = NormaliserVjp<T, shader("rows.log_softmax_vjp")>;

/// (x, mask)
template <class T>
struct HardMaskedSoftmax {
  using dtypes = T(T, T);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    if (s.operand(1).elements() != s.operand(0).elements()) {
      plugin::refuse("[hard_masked_softmax] x ", s.operand(0).shape(), ", mask ", s.operand(1).shape());
    }
    const Rows rows = Rows::of(s.output());
    Plan plan;
    Pass& pass = plan.add(shader("rows.masked_softmax")).reads(s, 0).reads(s, 1).writes(s).over(rows.count);
    put_walk(pass.push, Walk());  // one matrix, which begins at 0
    pass.push.count(0).count(rows.count).count(rows.count).count(rows.length).real(0, binary64(s));
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
template <class T>
struct LayerNorm {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = plugin::names("epsilon");
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const Rows rows = Rows::of(s.output());
    check_vectors(s, rows.length);
    Plan plan;
    over_rows(plan, shader("rows.layer_norm"), rows, s.real("epsilon", 1e-5), binary64(s))
        .reads(s, 0)
        .reads(s, 1)
        .reads(s, 2)
        .writes(s);
    return plan;
  }
};

/// (x, mean, variance, weight, bias): x is planes of one channel each, the channels in turn.
template <class T>
struct BatchNorm {
  using dtypes = T(T, T, T, T, T);
  static constexpr auto attributes = plugin::names("epsilon");
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0);
    if (x.rank() < 2) plugin::refuse("[batch_norm] x ", x.shape(), ", expected (batch, channels, ...)");
    const auto channels = static_cast<std::uint64_t>(x.extent(1));
    check_vectors(s, channels);
    std::uint64_t plane = 1;
    for (std::size_t axis = 2; axis < x.rank(); ++axis) plane *= static_cast<std::uint64_t>(x.extent(axis));
    Plan plan;
    Pass& pass = plan.add(shader("planes.batch_norm"));
    for (std::uint32_t i = 0; i < 5; ++i) pass.reads(s, i);
    pass.writes(s).over(x.elements());
    pass.push.count(x.elements()).count(channels).count(plane).real(s.real("epsilon", 1e-5), binary64(s));
    return plan;
  }
};

// -- losses -------------------------------------------------------------------------------------------------

using Label = std::uint32_t;

template <class T>
struct MseLoss {
  using dtypes = T(T, T);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const std::uint64_t elements = s.operand(0).elements();
    if (s.operand(1).elements() != elements) {
      plugin::refuse("[mse_loss] prediction ", s.operand(0).shape(), ", target ", s.operand(1).shape());
    }
    TreeSum sum{shader("reductions.squares"),
                {{Slot::Kind::operand, false, 0, 0, s.operand(0).bytes()},
                 {Slot::Kind::operand, false, 1, 0, s.operand(1).bytes()}},
                Groups::dense(1, elements)};
    sum.divides = true;
    sum.divisor = static_cast<double>(static_cast<T>(elements));
    Plan plan;
    sum.append(plan, {Slot::Kind::output, true, 0, 0, s.output().bytes()}, binary64(s));
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

template <class T>
struct CrossEntropy {
  using dtypes = T(T, Label);
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const Rows rows = labelled_rows(s, 1);
    Plan plan;
    const Slot losses = plan.take(rows.count * sizeof(T));
    over_rows(plan, shader("rows.cross_entropy"), rows, 0, binary64(s)).reads(s, 0).reads(s, 1).bind(losses);
    TreeSum sum{shader("reductions.sum"), {Plan::read(losses)}, Groups::dense(1, rows.count)};
    sum.divides = true;
    sum.divisor = static_cast<double>(static_cast<T>(rows.count));
    sum.append(plan, {Slot::Kind::output, true, 0, 0, s.output().bytes()}, binary64(s));
    return plan;
  }
};

/// (logits, upstream, labels)
template <class T>
struct CrossEntropyGrad {
  using dtypes = T(T, T, Label);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = tree_numerics;
  Plan plan(const SignatureView& s) const {
    const Rows rows = labelled_rows(s, 2);
    if (s.operand(1).elements() != 1) {
      plugin::refuse("[cross_entropy_grad] upstream ", s.operand(1).shape(), ", expected one element");
    }
    Plan plan;
    over_rows(plan, shader("rows.cross_entropy_grad"), rows, static_cast<double>(rows.count), binary64(s))
        .reads(s, 0)
        .reads(s, 1)
        .reads(s, 2)
        .writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules =
    plugin::join(both<"softmax", Softmax>, both<"log_softmax", LogSoftmax>, both<"softmax.vjp", SoftmaxVjp>,
                 both<"log_softmax.vjp", LogSoftmaxVjp>, both<"hard_masked_softmax", HardMaskedSoftmax>,
                 both<"layer_norm", LayerNorm>, both<"batch_norm", BatchNorm>, both<"mse_loss", MseLoss>,
                 both<"cross_entropy", CrossEntropy>, both<"cross_entropy_grad", CrossEntropyGrad>);

}  // namespace
}  // namespace tenon::vulkan
