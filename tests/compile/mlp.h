// mlp.h: the correct model that mistakes start from.
#pragma once
#include "tenon/dropout.h"
#include "tenon/tensor_pack.h"
#include "tenon/to_program.h"

using namespace tenon;

struct Mlp {
  Linear<64, 128> fc1;
  Linear<128, 10> fc2;

  auto forward(Tensor<batch, 64> x) const { return fc2(relu(fc1(x))); }
  auto loss(Tensor<batch, 64> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};
