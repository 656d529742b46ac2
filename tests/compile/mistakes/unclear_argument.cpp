// expected: [scale] takes x and then its attributes, if any: found an argument of another type
#include "../mlp.h"

auto f(Tensor<batch, 3> x) { return scale(x, Keep{}); }
