// autograd.h: reverse-mode differentiation of whatever a recorder has recorded. Names no operation.
#pragma once
#include <span>
#include <vector>

#include "tenon/value.h"

namespace tenon {

/// The gradient of `loss` (one element) for each of `wanted`, computed by operations recorded in the same recorder. A
/// value that the loss does not depend on gets zeros. Contributions to one gradient add in descending order of
/// consumer, then operand. An internal operation on the path is NOT_DIFFERENTIABLE.
TENON_API result<std::vector<Value>> differentiate(Value loss, std::span<const Value> wanted);

}  // namespace tenon
