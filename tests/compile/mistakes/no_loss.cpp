// expected: [model] loss: expected one const member function that takes typed tensors
#include "../mlp.h"

struct Net {
  Linear<64, 10> fc;

  auto forward(Tensor<batch, 64> x) const { return fc(x); }
};
void f() { define<Net>(); }
