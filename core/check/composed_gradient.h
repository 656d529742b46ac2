// composed_gradient.h: what X.vjp means in strict numerics: the gradient rule of X, whose operations the plugin `cpu`
// runs one by one. Plain function; one thread.
#pragma once
#include "kernel_run.h"
#include "reference_device.h"

namespace tenon::check {

/// The bytes of each output of a case of X.vjp. Skipped if the cpu does not serve an operation of the rule.
sought<std::vector<Bytes>> composed_gradient(ReferenceDevice& reference, const DrawnCase& drawn);

}  // namespace tenon::check
