// vjp.h: the reference and the cases of X.vjp, derived from X's. Pure functions; any thread.
#pragma once
#include "tenon/op_table.h"

namespace tenon::vjp {

/// X's gradient rule, computed by references.
void reference(Op differentiated, ReferenceCall& call);

/// X's cases, each with X's result for its operands and some cotangent.
std::vector<Case> cases(Op differentiated);

}  // namespace tenon::vjp
