// expected: [reduce_sum] x (batch, 3): axis 2 does not fit rank 2
#include "../mlp.h"

auto f(Tensor<batch, 3> x) { return reduce_sum<2>(x); }
