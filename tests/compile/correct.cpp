// Everything that the mistakes beside this get wrong, done right.
#include "mlp.h"
#include "tenon/with_runtime.h"

static_assert(length<ParamsOf<Mlp>> == 4);

inline constexpr auto mlp = define<Mlp>().freeze("fc1"_p);

Plan<ParamsOf<Mlp>> plan{"fc1.weight"_p = init::kaiming_uniform(1), "fc1.bias"_p = init::zeros(),
                         init::xavier_uniform(2), init::normal(0, 0.1, 3)};

using Params = Shapes<param("w", 10, 64), param("b", 10)>;
inline constexpr auto positional = define<Params, Shapes<param("x", batch, 64)>, Shapes<param("y", batch)>>(
    [](auto w, auto b, auto x) { return linear(x, w, b); },
    [](auto w, auto b, auto x, auto y) { return cross_entropy(linear(x, w, b), y); });

auto operations(Tensor<batch, 64> x, State<64> mean) {
  const auto pairs = reshape<dyn, 2, 32>(dropout(x, 0.9));
  update(mean, reduce_mean<0>(x));
  const auto sums = reduce_sum<Axes{Shape{-1}, true}>(permute<0, 2, 1>(pairs));
  return refine<batch, 32, 1>(sums * 2.0 - reshape<dyn, 32, 1>(reduce_max<1>(reshape<dyn, 2, 32>(-x + mean))));
}

auto bias(TensorPack<float, ParamsOf<Mlp>> params) {
  params.set("fc2.bias"_p, params["fc2.bias"_p]);
  return cast_tensor<double>(params["fc2.bias"_p]);
}

constexpr Square same{.padding = 1}, pool{.kernel = 2};

struct Cnn {
  Conv2d<1, 4, 3, same> conv;
  BatchNorm<4> norm;
  Linear<4 * 8 * 8, 10> head;

  auto forward(Tensor<batch, 1, 16, 16> x) const { return head(flatten(max_pool2d<pool>(relu(norm(conv(x)))))); }
  auto loss(Tensor<batch, 1, 16, 16> x, Naturals<batch> digit) const { return cross_entropy(forward(x), digit); }
};
inline constexpr auto cnn = define<Cnn>();

struct Words {
  Embedding<100, 8> words;
  LayerNorm<8> norm;

  auto forward(Naturals<batch, 6> ids) const { return concat<1>(norm(words(ids)), slice<1, 0, 2>(words(ids))); }
  auto loss(Naturals<batch, 6> ids) const { return reduce_mean(forward(ids)); }
};

result<void> training(ModuleOf<float, Mlp>& net, const HostTensor<float, 8, 64>& x, const HostTensor<Natural, 8>& y) {
  const HostTensor<float, dyn, dyn>& any =
      HostTensor<float, dyn, dyn>(x.shape(), {x.values().begin(), x.values().end()});
  TENON_CHECK(net.evaluate(any));
  TENON_TRY(Optimizer adam, net.init_optim(optim::adam()));
  TENON_CHECK(net.step_with(adam, 0.1, x, y));
  return net.step(0.1, any, y);
}

auto program(const Args& args) {
  return with_module(mlp, args, [](auto cast, auto& module, const Args&) -> result<void> {
    using S = decltype(cast(0.0));
    TENON_CHECK(module.evaluate(HostTensor<S, 1, 64>(Shape{1, 64}, std::vector<S>(64, cast(0.5)))));
    return {};
  });
}
