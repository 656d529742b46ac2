// expected: [linear] takes x, weight, bias: found 2 operands, expected 3
#include "../mlp.h"

auto f(Tensor<batch, 64> x, Tensor<128, 64> weight) { return linear(x, weight); }
