// expected: [loss] found real (batch, 10), expected a scalar ()
#include "../mlp.h"

struct Net {
  Linear<64, 10> fc;

  auto forward(Tensor<batch, 64> x) const { return fc(x); }
  auto loss(Tensor<batch, 64> x) const { return fc(x); }
};
constexpr auto net = define<Net>();
