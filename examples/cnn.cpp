// cnn.cpp: a convolutional network learns where a bright line lies in a small image. The images are made here.
//
//   cnn [any execution flag]
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

constexpr Square same{.padding = 1}, half{.stride = 2}, pool{.kernel = 2, .stride = 2};

struct Cnn {
  Conv2d<1, 4, 3, same> conv1;
  Conv2d<4, 8, 3, half> conv2;
  Linear<8 * 3 * 3, 10> head;

  auto forward(Tensor<batch, 1, 16, 16> x) const {
    auto h = max_pool2d<pool>(relu(conv1(x)));  // (batch, 4, 8, 8)
    return head(flatten(relu(conv2(h))));
  }
  auto loss(Tensor<batch, 1, 16, 16> x, Naturals<batch> digit) const { return cross_entropy(forward(x), digit); }
};

struct Images {
  std::vector<double> pixels;
  std::vector<Natural> lines;
};

/// Line k is row 3 k + 2 for k below 5, column 3 (k - 5) + 2 from there on; around it is a little noise.
Images draw_images(Natural count, std::uint64_t seed) {
  Images out;
  const auto noise = init::uniform(0, 0.3, seed);
  for (Natural i = 0; i < count; ++i) {
    const Natural line = i % 10, at = line % 5 * 3 + 2;
    for (Natural row = 0; row < 16; ++row)
      for (Natural column = 0; column < 16; ++column) {
        const bool bright = (line < 5 ? row : column) == at;
        out.pixels.push_back(sample_at(noise, out.pixels.size()) + (bright ? 1 : 0));
      }
    out.lines.push_back(line);
  }
  return out;
}

template <class S>
result<void> learn(Runtime<S> runtime) {
  const Images images = draw_images(40, runtime.options().seed);
  TENON_TRY(auto pixels, HostTensor<double, batch, 1, 16, 16>::of(images.pixels));
  TENON_TRY(auto line, HostTensor<Natural, batch>::of(images.lines));
  const auto x = cast_tensor<S>(pixels);

  TENON_TRY(auto net, runtime.instantiate(define<Cnn>()));
  TENON_TRY(const double before, net.mean_loss(40, x, line));
  TENON_TRY(auto adam, net.init_optim(optim::adam()));
  TENON_CHECK(net.train_with(adam, {.epochs = 12, .batch = 10, .rate = 0.01, .shuffle = 1}, x, line));
  TENON_TRY(const double after, net.mean_loss(40, x, line));
  std::cout << "loss " << before << " before, " << after << " after: " << (after < 0.2 ? "learnt" : "not learnt")
            << "\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return exit_status(with_runtime({argv + 1, argv + argc}, []<class S>(Runtime<S> runtime, Args rest) -> result<void> {
    if (!rest.empty()) return fail(usage_error("found \"" + rest[0] + "\", expected execution flags"));
    return learn(runtime);
  }));
}
