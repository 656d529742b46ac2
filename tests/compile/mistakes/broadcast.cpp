// expected: [add] left (dyn, 10), right (dyn, 12): extents 10 and 12 at axis -1 do not broadcast
#include "../mlp.h"

auto f(Tensor<dyn, 10> x, Tensor<dyn, 12> y) { return x + y; }
