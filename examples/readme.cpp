// readme.cpp: the README's example: a model is a plain struct, its training a loop.
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

// README begins
struct Mlp {
  Linear<2, 16> fc1;
  Linear<16, 2> fc2;

  auto forward(Tensor<batch, 2> x) const { return fc2(relu(fc1(x))); }
  auto loss(Tensor<batch, 2> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

result<void> learn_exclusive_or(const Options& options) {
  TENON_TRY(auto net, instantiate_configured<double>(define<Mlp>(), options));
  TENON_TRY(auto x, HostTensor<double, batch, 2>::of({0, 0, 0, 1, 1, 0, 1, 1}));
  TENON_TRY(auto label, HostTensor<Natural, batch>::of({0, 1, 1, 0}));
  for (int step = 0; step < 400; ++step) TENON_CHECK(net.step(0.5, x, label));
  TENON_TRY(auto logits, net.evaluate(x));
  std::cout << logits << "\n";  // (4, 2), a row for each of x's
  return {};
}
// README ends

}  // namespace

int main() { return exit_status(learn_exclusive_or({.backend = Backend::compiled, .seed = 1})); }
