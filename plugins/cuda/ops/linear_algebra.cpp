// Products of matrices, strict and fused.
#include "products.h"

namespace tenon::gpu {
namespace {

/// (..., m, k) by (..., k, n); leading axes broadcast.
template <class T, class Kind>
struct Matmul : Kind {
  using dtypes = T(T, T);
  static void plan(Plan& plan) {
    const TensorView left = plan.signature().operand(0), right = plan.signature().operand(1),
                     output = plan.signature().output();
    const Extents extents{extent(left, 2), extent(right, 1), extent(left, 1)};
    if (left.rank() < 2 || right.rank() < 2 || output.rank() < 2 || extent(right, 2) != extents.depth)
      refuse("[matmul] left ", left.shape(), ", right ", right.shape());
    const Walk lefts = matrices_of(left, output), rights = matrices_of(right, output);
    multiply<T>(plan, "matmul", Kind::kind, extents, lefts.count, lefts, rights, Output{}, Operand{0}, Operand{1});
  }
};

/// x (..., in) times weight (out, in) transposed, plus bias (out).
template <class T, class Kind>
struct Linear : Kind {
  using dtypes = T(T, T, T);
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const TensorView x = s.operand(0), weight = s.operand(1), bias = s.operand(2);
    if (weight.rank() != 2 || x.rank() < 1 || x.extent_from_end(1) != weight.extent(1) ||
        bias.elements() != extent(weight, 2)) {
      refuse("[linear] x ", x.shape(), ", weight ", weight.shape(), ", bias ", bias.shape());
    }
    const Extents extents{Rows::of(s.output()).count, extent(weight, 2), extent(weight, 1)};
    multiply<T>(plan, "linear", Kind::kind, extents, 1, Output{}, Operand{0}, Operand{1}, Operand{2});
  }
};

template <class T>
using StrictMatmul = Matmul<T, StrictProducts>;
template <class T>
using StrictLinear = Linear<T, StrictProducts>;
template <class T>
using FusedMatmul = Matmul<T, FusedProducts>;
template <class T>
using FusedLinear = Linear<T, FusedProducts>;

TENON_CAPSULES capsules =
    plugin::join(both<"matmul", StrictMatmul>, both<"linear", StrictLinear>, both<"matmul", FusedMatmul, NativeFused>,
                 both<"linear", FusedLinear, NativeFused>);

}  // namespace
}  // namespace tenon::gpu
