// expected: [conversion] found real (dyn, 60), expected real (batch, 64)
#include "../mlp.h"

auto g(Tensor<batch, 64> x) { return relu(x); }
auto f(Tensor<dyn, 60> x) { return g(x); }
