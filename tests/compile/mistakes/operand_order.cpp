// expected: [linear] x (batch, 64), weight (128), bias (128, 64): expected (..., in), (out, in), (out)
#include "../mlp.h"

auto f(Tensor<batch, 64> x, Tensor<128, 64> weight, Tensor<128> bias) { return linear(x, bias, weight); }
