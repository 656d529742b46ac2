// autograd.h: reverse-mode differentiation of whatever a recorder has recorded. Names no operation.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "tenon/value.h"

namespace tenon {

/// Asked for a node X of which a gradient is needed: is it to be one operation, X.vjp, instead of those of X's rule? It
/// is told what that operation would be given.
using OwnGradient = std::function<bool(Op vjp, std::span<const OperandType> operands, const Attributes& attributes)>;

/// The gradient of `loss` (one element) for each of `wanted`, computed by operations recorded in the same recorder. A
/// value that the loss does not depend on gets zeros. Contributions to one gradient add in descending order of
/// consumer, then operand. An internal operation on the path is NOT_DIFFERENTIABLE. Without `own` every gradient is its
/// rule's.
TENON_API result<std::vector<Value>> differentiate(Value loss, std::span<const Value> wanted,
                                                   const OwnGradient& own = {});

}  // namespace tenon
