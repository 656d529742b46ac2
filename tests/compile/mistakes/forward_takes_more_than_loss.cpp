// expected: [forward] real input 0: found (batch, 60), expected (batch, 64) as in loss
#include "../mlp.h"

struct Net {
  Linear<64, 10> fc;

  auto forward(Tensor<batch, 60> x) const { return relu(x); }
  auto loss(Tensor<batch, 64> x, Naturals<batch> label) const { return cross_entropy(fc(x), label); }
};
void f() { define<Net>(); }
