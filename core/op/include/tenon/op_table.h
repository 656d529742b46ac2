// op_table.h: the columns of the table that are code: gradient rule, double-precision reference, conformance cases.
//
// Each is an ordinary function named as the operation, in the source of its family; table.cpp collects them.
#pragma once
#include <string>
#include <vector>

#include "tenon/ops.h"

namespace tenon {

/// What a gradient rule sees. It writes gradient[i] for each real operand that is wanted[i], with operations alone;
/// a gradient that is zero for every input may stay empty.
struct GradientCall {
  std::span<const Value> operands;
  Value output;
  Value upstream;  // the loss's gradient for `output`, of its shape
  const Attributes& attributes;
  std::span<const bool> wanted;
  std::span<Value> gradient;
};
using GradientRule = void (*)(GradientCall&);  // null: not differentiable

/// A tensor of the reference, row-major. Natural numbers are held as whole doubles.
struct HostArray {
  Shape shape;
  std::vector<double> values;
};

/// Computes an operation in double precision, straight from its definition, sharing no code with any kernel. Outputs
/// arrive with their shapes and sized values.
struct ReferenceCall {
  std::span<const HostArray> operands;  // reals, then naturals
  std::span<const Scalar> scalars;
  const Attributes& attributes;
  std::span<HostArray> outputs;
};
using Reference = void (*)(ReferenceCall&);

/// One conformance case: operands are drawn uniformly from [low, high) (naturals: below `classes`), or given.
/// Elementwise operands may differ in shape: record the case, as a program would, and kernels receive equal ones.
struct Case {
  std::string name{};
  std::vector<Shape> operands{};  // reals, then naturals
  Attributes attributes{};
  double low = -2, high = 2;
  std::uint32_t classes = 0;
  std::vector<Scalar> scalars{};
  double tolerance = 4e-6;  // of binary32 against the reference, relative to max(1, |reference|); binary64: 1e-9 of it
  bool check_gradient = true;  // against central differences of the reference
  // Given values (specials, ties), operand by operand; an operand whose list is empty or missing is drawn.
  std::vector<std::vector<double>> values{};
};
using Cases = std::vector<Case> (*)();

struct OpColumns {
  GradientRule gradient;
  Reference reference;
  Cases cases;
};

/// Of X.vjp: no gradient, the reference that X's gradient rule gives when it is computed by references, and X's cases.
TENON_API const OpColumns& columns(Op op);

/// What X.vjp stands for: X's gradient rule, where `operands` are those of X.vjp and every gradient is wanted. By real
/// operand of X; empty where the rule gives none.
TENON_API std::array<Value, max_operands> composed_vjp(Op differentiated, std::span<const Value> operands,
                                                       const Attributes& attributes);

// clang-format off
#define TENON_GRADIENT_OF_plain(name) namespace gradient { void name(GradientCall&); }
#define TENON_GRADIENT_OF_source(name)
#define TENON_GRADIENT_OF_random(name)
#define TENON_GRADIENT_OF_internal(name)
#define TENON_GRADIENT_OF_update(name)
#define TENON_OP_COLUMNS(name, reals, naturals, scalars, attributes, role, ...) \
  TENON_GRADIENT_OF_##role(name)                                                \
  namespace reference { void name(ReferenceCall&); }                            \
  namespace cases { std::vector<Case> name(); }
TENON_OPS(TENON_OP_COLUMNS)
#undef TENON_OP_COLUMNS
#undef TENON_GRADIENT_OF_update
#undef TENON_GRADIENT_OF_internal
#undef TENON_GRADIENT_OF_random
#undef TENON_GRADIENT_OF_source
#undef TENON_GRADIENT_OF_plain
// clang-format on

}  // namespace tenon
