// expected: [refine] x (dyn, 60): expected (batch, 64)
#include "../mlp.h"

auto f(Tensor<dyn, 60> x) { return refine<batch, 64>(x); }
