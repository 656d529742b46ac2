// train_modules.cpp: trains one convolutional module by each optimizer for ten steps, and saves its parameters with the
// optimizer's state.
//
//   train_modules FOLDER [execution flags]
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

constexpr Square same{.padding = 1}, pool{.kernel = 2, .stride = 2};

struct Net {
  Conv2d<1, 3, 3, same> convolution;
  LayerNorm<3 * 4 * 4> norm;
  Linear<3 * 4 * 4, 5> head;

  auto forward(Tensor<batch, 1, 8, 8> x) const {
    return head(gelu(norm(flatten(max_pool2d<pool>(relu(convolution(x)))))));
  }
  auto loss(Tensor<batch, 1, 8, 8> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

template <class S>
result<void> train(Runtime<S> runtime, const std::string& folder) {
  std::vector<double> pixels;
  const auto noise = init::uniform(-1, 1, 11);
  while (pixels.size() < 6 * 8 * 8) pixels.push_back(sample_at(noise, pixels.size()));
  TENON_TRY(auto images, HostTensor<double, batch, 1, 8, 8>::of(pixels));
  TENON_TRY(auto label, HostTensor<Natural, batch>::of({0, 1, 2, 3, 4, 0}));
  const auto x = cast_tensor<S>(images);
  for (const auto& [name, spec] : optim::all()) {
    TENON_TRY(auto net, runtime.instantiate(define<Net>()));
    TENON_TRY(auto optimizer, net.init_optim(spec));
    for (int step = 0; step < 10; ++step) TENON_CHECK(net.step_with(optimizer, 0.01, x, label));
    TENON_CHECK(save(folder + "/" + std::string(name), net, &optimizer));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return exit_status(with_runtime({argv + 1, argv + argc}, []<class S>(Runtime<S> runtime, Args rest) -> result<void> {
    if (rest.size() != 1) return fail(usage_error("expected FOLDER [execution flags]"));
    return train(runtime, rest[0]);
  }));
}
