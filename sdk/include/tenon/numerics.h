// The strict numerics: arithmetic whose every result is a function of its inputs alone, not of the device, the
// compiler, the optimisation level, the vector width or the number of threads.  docs/numerics.md tells it in full.
//
//   binary32, correctly rounded     exp log tanh sigmoid softplus gelu erf sin cos sqrt
//   binary64, within 1 ulp          exp log tanh sigmoid sin cos (sqrt is correctly rounded)
//   binary64, within some ulp       softplus erf gelu gelu_derivative, box_muller, power
//   binary32, defined by binary64   gelu_derivative
//   sums                            tree_sum, block_sum, combine_lanes
//   order                           maximum minimum relu
//   the build                       rounds_products
//
// Whether a result is NaN is defined, its sign and payload are not.  The rounding mode is to nearest even, and
// subnormals are neither flushed nor read as zero.  A file that includes this is compiled with -ffp-contract=off (nvcc:
// -fmad=false), since most compilers fuse products and sums by default, and never with -ffast-math.
//
// Ownership: nothing is held or allocated.  Threads: every function is pure; any thread may call it.
#pragma once

#include "tenon/strict/base.h"
#include "tenon/strict/binary64.h"
#include "tenon/strict/binary64_trigonometric.h"
#include "tenon/strict/error_function.h"
#include "tenon/strict/exponential.h"
#include "tenon/strict/order.h"
#include "tenon/strict/sum.h"
#include "tenon/strict/trigonometric.h"
