// train_modules.cpp: trains one convolutional module by each optimizer, or by those that are named, and saves
// its parameters and state with the optimizer's: FOLDER/adam and so on.
//
//   train_modules FOLDER STEPS [OPTIMIZER...] [execution flags]
#include <algorithm>
#include <cstdlib>
#include <span>

#include "tenon/dropout.h"
#include "tenon/tenon.h"

namespace {

using namespace tenon;

constexpr Square same{.padding = 1}, pool{.kernel = 2, .stride = 2};

struct Net {
  BatchNorm<1> brightness;  // before the convolution, whose bias it would undo
  Conv2d<1, 3, 3, same> convolution;
  LayerNorm<3 * 4 * 4> norm;
  Linear<3 * 4 * 4, 5> head;

  auto forward(Tensor<batch, 1, 8, 8> x) const {
    return head(dropout(gelu(norm(flatten(max_pool2d<pool>(relu(convolution(brightness(x))))))), 0.8));
  }
  auto loss(Tensor<batch, 1, 8, 8> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

template <class S>
result<void> train(Runtime<S> runtime, const std::string& folder, int steps, std::span<const std::string> named) {
  std::vector<double> pixels;
  const auto noise = init::uniform(-1, 1, 11);
  while (pixels.size() < 6 * 8 * 8) pixels.push_back(sample_at(noise, pixels.size()));
  TENON_TRY(auto images, HostTensor<double, batch, 1, 8, 8>::of(pixels));
  TENON_TRY(auto label, HostTensor<Natural, batch>::of({0, 1, 2, 3, 4, 0}));
  const auto x = cast_tensor<S>(images);
  for (const auto& [name, spec] : optim::all()) {
    if (!named.empty() && std::ranges::find(named, name) == named.end()) continue;
    TENON_TRY(auto net, runtime.instantiate(define<Net>()));
    TENON_TRY(auto optimizer, net.init_optim(spec));
    for (int step = 0; step < steps; ++step) TENON_CHECK(net.step_with(optimizer, 0.01, x, label));
    TENON_CHECK(save(folder + "/" + std::string(name), net, &optimizer));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return exit_status(with_runtime({argv + 1, argv + argc}, []<class S>(Runtime<S> runtime, Args rest) -> result<void> {
    if (rest.size() < 2) return fail(usage_error("expected FOLDER STEPS [OPTIMIZER...] [execution flags]"));
    return train(runtime, rest[0], std::atoi(rest[1].c_str()), std::span(rest).subspan(2));
  }));
}
