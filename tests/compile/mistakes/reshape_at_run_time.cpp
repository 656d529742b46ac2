// expected: [reshape] the attributes decide the shape: found them as an argument, expected a template argument
#include "../mlp.h"

auto f(Tensor<32, 10> x) { return reshape(x, Target{Shape{320}}); }
