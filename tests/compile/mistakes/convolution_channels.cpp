// expected: [conv] x (batch, 4, 8, 8), weight (8, 3, 3, 3), bias (8): x has 4 channels, weight takes 3
#include "../mlp.h"

auto channels(Tensor<batch, 4, 8, 8> x, Conv2d<3, 8, 3, Square{.padding = 1}> conv) { return relu(conv(x)); }
