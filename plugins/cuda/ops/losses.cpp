// Losses: a kernel for what is theirs, then the levels of a sum.
#include "reduce.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "losses";

template <class T>
struct MseLoss : TreeSums {
  using dtypes = T(T, T);
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const std::uint64_t n = s.operand(0).elements();
    if (s.operand(1).elements() != n)
      refuse("[mse_loss] prediction ", s.operand(0).shape(), ", target ", s.operand(1).shape());
    const T count = static_cast<T>(n);
    const std::uint64_t trees = tree_blocks(n);
    if (trees == 1) {
      plan.launch(family, "mse_squares", trees, n, Output{}, Operand{0}, Operand{1}, count);
      return;
    }
    const Workspace squares = plan.workspace(trees * sizeof(T));
    plan.launch(family, "mse_squares", trees, n, squares, Operand{0}, Operand{1}, count);
    reduce(plan, "sum", {line(1, 1), line(trees, 1)}, squares, count);
  }
};

/// The rows of logits and one label for each.
Rows labelled_rows(const SignatureView& signature, std::uint32_t labels) {
  const TensorView logits = signature.operand(0);
  const Rows rows = Rows::of(logits);
  if (logits.rank() == 0 || signature.operand(labels).elements() * rows.length != logits.elements()) {
    refuse("[", signature.op(), "] logits ", logits.shape(), ", labels ", signature.operand(labels).shape());
  }
  return rows;
}

struct Strict : TreeSums {
  static constexpr const char *rows = "cross_entropy_rows", *grad = "cross_entropy_grad";
};
struct Fast {
  static constexpr const char *rows = "cross_entropy_rows_fast", *grad = "cross_entropy_grad_fast";
};

template <class T, class Kind = Strict>
struct CrossEntropy : Kind {
  using dtypes = T(T, std::uint32_t);
  static void plan(Plan& plan) {
    const Rows rows = labelled_rows(plan.signature(), 1);
    const Workspace losses = plan.workspace(rows.count * sizeof(T));
    plan.launch(family, Kind::rows, rows.blocks(), rows.count, rows.length, losses, Operand{0}, Operand{1});
    reduce(plan, "sum", {line(1, 1), line(rows.count, 1)}, losses, static_cast<T>(rows.count));
  }
};

/// (logits, upstream, labels)
template <class T, class Kind = Strict>
struct CrossEntropyGrad : InPlace, Kind, NotDifferentiable {
  using dtypes = T(T, T, std::uint32_t);
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Rows rows = labelled_rows(s, 2);
    if (s.operand(1).elements() != 1)
      refuse("[cross_entropy_grad] upstream ", s.operand(1).shape(), ", expected one element");
    plan.launch(family, Kind::grad, rows.blocks(), rows.count, rows.length, Output{}, Operand{0}, Operand{1},
                Operand{2});
  }
};

template <class T>
using StrictCrossEntropy = CrossEntropy<T>;
template <class T>
using StrictCrossEntropyGrad = CrossEntropyGrad<T>;

TENON_CAPSULES capsules =
    plugin::join(both<"mse_loss", MseLoss>, both<"cross_entropy", StrictCrossEntropy>,
                 both<"cross_entropy_grad", StrictCrossEntropyGrad>, fast<"cross_entropy", CrossEntropy<float, Fast>>,
                 fast<"cross_entropy_grad", CrossEntropyGrad<float, Fast>>);

}  // namespace
}  // namespace tenon::gpu
