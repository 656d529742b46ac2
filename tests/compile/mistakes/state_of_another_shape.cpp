// expected: [update] state (64): found real (32), expected real (64)
#include "../mlp.h"

void f(State<64> mean, Tensor<32> x) { update(mean, x); }
