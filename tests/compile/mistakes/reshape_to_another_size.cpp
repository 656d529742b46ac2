// expected: [reshape] x (32, 10): 320 elements do not fill (16, 21)
#include "../mlp.h"

auto f(Tensor<32, 10> x) { return reshape<16, 21>(x); }
