// expected: [add] left (batch, 8), right (time, 8): extents batch and time at axis -2 do not broadcast
#include "../mlp.h"

constexpr Extent time_steps = extent("time");
auto f(Tensor<batch, 8> x, Tensor<time_steps, 8> y) { return x + y; }
