// own_gradients.h: which gradients a session leaves to the capsules of X.vjp. Any thread.
#pragma once
#include "tenon/autograd.h"
#include "tenon/registry.h"

namespace tenon {

/// Yes wherever the registry has an admissible capsule of X.vjp for numbers stored as `real`. `registry` must outlive
/// the answer.
TENON_API OwnGradient own_gradients(const Registry& registry, DType real);

}  // namespace tenon
