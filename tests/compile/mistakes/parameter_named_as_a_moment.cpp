// expected: [parameters] found the name optimizer.m.w, which files give a moment of w, expected another
#include "../mlp.h"

struct Moment {
  Tensor<3> w;
};
struct Learnt {
  Moment m;
};
struct Net {
  Tensor<3> w;
  Learnt optimizer;

  auto forward(Tensor<batch, 3> x) const { return x * w; }
  auto loss(Tensor<batch, 3> x) const { return reduce_mean(forward(x)); }
};

constexpr auto net = define<Net>();
