// expected: [linear] x (batch, 128), weight (10, 120), bias (10): x has 128 features, weight takes 120
#include "../mlp.h"

struct Net {
  Linear<64, 128> fc1;
  Linear<120, 10> fc2;

  auto forward(Tensor<batch, 64> x) const { return fc2(relu(fc1(x))); }
  auto loss(Tensor<batch, 64> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};
void f() { define<Net>(); }
