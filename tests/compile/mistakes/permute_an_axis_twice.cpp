// expected: [permute] x (batch, 3, 4): axis 2 is named twice
#include "../mlp.h"

auto f(Tensor<batch, 3, 4> x) { return permute<0, 2, 2>(x); }
