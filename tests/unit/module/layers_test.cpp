// The layers beyond Linear, with values, on every device with every backend.
#include "tenon/layers.h"

#include <gtest/gtest.h>

#include "tenon/instantiate.h"
#include "tenon/optimizers.h"

namespace tenon {
namespace {

struct Where {
  const char* device;
  Backend backend;
};

class LayersOn : public testing::TestWithParam<Where> {
 protected:
  static Options options() {
    return {.device = GetParam().device,
            .backend = GetParam().backend,
            .plugins = {TENON_TEST_BUILD_DIR "/test-plugins/late/late.tenon.json"}};
  }
  /// A module of float with the layers' own initialisers.
  template <class M>
  static ModuleOf<float, M> module_of() {
    auto module = instantiate_configured<float>(define<M>(), options());
    if (!module) {
      ADD_FAILURE() << to_string(module.error());
      std::abort();
    }
    return *std::move(module);
  }
};

template <Extent... E>
HostTensor<float, E...> floats(std::vector<float> values) {
  return *HostTensor<float, E...>::of(std::move(values));
}

template <class Scalar, Shape S>
std::vector<Scalar> list(const HostTensorOf<Scalar, S>& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

/// What a model gives, squared and added up: a loss with a gradient for everything.
template <class T>
auto sum_of_squares(const T& y) {
  return reduce_sum(y * y);
}

struct Convolved {
  Conv2d<1, 2, 2, Square{.stride = 2, .padding = 1}> conv;
  auto forward(Tensor<batch, 1, 2, 2> x) const { return conv(x); }
  auto loss(Tensor<batch, 1, 2, 2> x) const { return sum_of_squares(forward(x)); }
};

TEST_P(LayersOn, Conv2dSlidesItsKernel) {
  auto net = module_of<Convolved>();
  auto params = *net.params();
  params.set("conv.weight"_p, floats<2, 1, 2, 2>({1, 2, 3, 4, -1, 0, 0, 1})).set("conv.bias"_p, floats<2>({0, 10}));
  ASSERT_TRUE(net.set_params(params));
  const auto y = net.evaluate(floats<batch, 1, 2, 2>({1, 2, 3, 4}));
  ASSERT_TRUE(y) << to_string(y.error());
  static_assert(std::same_as<std::remove_cvref_t<decltype(*y)>, HostTensor<float, batch, 2, 2, 2>>);
  EXPECT_EQ(list(*y), (std::vector<float>{4, 6, 6, 4, 11, 10, 10, 6}));
}

struct Normalised {
  LayerNorm<4> norm;
  auto forward(Tensor<batch, 4> x) const { return norm(x); }
  auto loss(Tensor<batch, 4> x) const { return sum_of_squares(forward(x)); }
};

TEST_P(LayersOn, LayerNormBringsEachRowToOneScale) {
  auto net = module_of<Normalised>();
  const auto y = net.evaluate(floats<batch, 4>({1, 3, 1, 3, 70, 70, 70, 70}));
  ASSERT_TRUE(y) << to_string(y.error());
  const float unit = 1 / std::sqrt(1 + 1e-5F);
  EXPECT_EQ(list(*y), (std::vector<float>{-unit, unit, -unit, unit, 0, 0, 0, 0}));
}

struct Looked {
  Embedding<5, 2> words;
  auto forward(Naturals<batch, 3> ids) const { return words(ids); }
  auto loss(Naturals<batch, 3> ids) const { return sum_of_squares(forward(ids)); }
};

TEST_P(LayersOn, EmbeddingLooksRowsUpAndLearnsThose) {
  auto net = module_of<Looked>();
  const std::vector<float> before = list((*net.params())["words.weight"_p]);
  const auto drawn = *host_tensor_of<float, Shape{5, 2}>(init::normal(0, 1, random::next_seed(0, 0)));
  EXPECT_EQ(before, list(drawn));
  const auto ids = *HostTensor<Natural, batch, 3>::of({4, 0, 4});
  const auto y = net.evaluate(ids);
  ASSERT_TRUE(y) << to_string(y.error());
  EXPECT_EQ(list(*y), (std::vector<float>{before[8], before[9], before[0], before[1], before[8], before[9]}));
  const auto gradients = net.backward(ids);
  ASSERT_TRUE(gradients) << to_string(gradients.error());
  EXPECT_EQ(list((*gradients)["words.weight"_p]),
            (std::vector<float>{2 * before[0], 2 * before[1], 0, 0, 0, 0, 0, 0, 4 * before[8], 4 * before[9]}));
  const auto beyond = net.evaluate(*HostTensor<Natural, batch, 3>::of({5, 0, 4}));
  ASSERT_FALSE(beyond);
}

struct Batched {
  BatchNorm<2> norm;
  auto forward(Tensor<batch, 2, 2> x) const { return norm(x); }
  auto loss(Tensor<batch, 2, 2> x, Tensor<batch, 2, 2> upstream) const { return reduce_sum(forward(x) * upstream); }
};

// Two rows of two channels of two numbers: means 2 and 10, variances 5 and 0.
const std::vector<float> seen{-1, 1, 10, 10, 3, 5, 10, 10};

template <class Net>
void expect_running(Net& net, const std::vector<double>& mean, const std::vector<double>& variance) {
  const auto states = net.states();
  ASSERT_TRUE(states) << to_string(states.error());
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_FLOAT_EQ(list((*states)["norm.running_mean"_p])[c], static_cast<float>(mean[c]));
    EXPECT_FLOAT_EQ(list((*states)["norm.running_var"_p])[c], static_cast<float>(variance[c]));
  }
}

TEST_P(LayersOn, BatchNormMovesItsRunningStatisticsInTrainingOnly) {
  auto net = module_of<Batched>();
  const auto x = floats<batch, 2, 2>(seen);
  const auto zeros = floats<batch, 2, 2>(std::vector<float>(8));
  expect_running(net, {0, 0}, {1, 1});
  ASSERT_TRUE(net.evaluate(x));
  ASSERT_TRUE(net.mean_loss(2, x, zeros));
  expect_running(net, {0, 0}, {1, 1});
  // Unbiased: 5 * 4 / 3.
  double mean0 = 0, mean1 = 0, variance0 = 1, variance1 = 1;
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(net.step(0.1, x, zeros));
    mean0 = 0.9 * mean0 + 0.1 * 2, mean1 = 0.9 * mean1 + 0.1 * 10;
    variance0 = 0.9 * variance0 + 0.1 * 20 / 3, variance1 = 0.9 * variance1;
    expect_running(net, {mean0, mean1}, {variance0, variance1});
  }
}

TEST_P(LayersOn, BatchNormTakesTheRunningStatisticsInEvaluation) {
  auto net = module_of<Batched>();
  auto states = *net.states();
  states.set("norm.running_mean"_p, floats<2>({1, 8})).set("norm.running_var"_p, floats<2>({4, 1}));
  ASSERT_TRUE(net.set_states(states));
  const auto y = net.evaluate(floats<batch, 2, 2>({1, 3, 8, 10}));  // one row will do
  ASSERT_TRUE(y) << to_string(y.error());
  const std::vector<float> values = list(*y);
  EXPECT_FLOAT_EQ(values[0], 0);
  EXPECT_FLOAT_EQ(values[1], 2 / std::sqrt(4 + 1e-5F));
  EXPECT_FLOAT_EQ(values[3], 2 / std::sqrt(1 + 1e-5F));
}

TEST_P(LayersOn, BatchNormTakesTheBatchsOwnStatisticsInTraining) {
  auto net = module_of<Batched>();
  const auto x = floats<batch, 2, 2>(seen);
  const auto upstream = floats<batch, 2, 2>({0, 0, 0, 0, 0, 1, 1, 0});
  const auto both = net.loss_and_backward(x, upstream);
  ASSERT_TRUE(both) << to_string(both.error());
  const float last = 3 / std::sqrt(5 + 1e-5F);
  EXPECT_FLOAT_EQ(both->loss, last);
  EXPECT_FLOAT_EQ(list(both->gradients["norm.weight"_p])[0], last);
  EXPECT_EQ(list(both->gradients["norm.bias"_p]), (std::vector<float>{1, 1}));
}

struct Deep {
  Linear<1, 2> first;
  BatchNorm<2> norm;
  auto forward(Tensor<batch, 1> x) const { return norm(first(x)); }
  auto loss(Tensor<batch, 1> x, Tensor<batch, 2> upstream) const { return reduce_sum(forward(x) * upstream); }
};

TEST_P(LayersOn, BatchNormIsDifferentiatedThroughItsStatistics) {
  auto net = module_of<Deep>();
  auto params = *net.params();
  params.set("first.weight"_p, floats<2, 1>({1, -2}));
  ASSERT_TRUE(net.set_params(params));
  const auto x = floats<batch, 1>({1, 2, 4, 9});
  const auto gradients = net.backward(x, floats<batch, 2>({1, 2, -1, 0.5, 0, 0, 3, 1}));
  ASSERT_TRUE(gradients) << to_string(gradients.error());
  // Neither a shift nor, but for epsilon, a scale before the normalisation changes its result.
  for (const float g : list((*gradients)["first.bias"_p])) EXPECT_NEAR(g, 0, 1e-5);
  for (const float g : list((*gradients)["first.weight"_p])) EXPECT_NEAR(g, 0, 1e-4);
}

TEST_P(LayersOn, BatchNormRefusesToTrainOnOneNumberForEachChannel) {
  auto net = module_of<Deep>();
  const auto refused = net.step(0.1, floats<batch, 1>({1}), floats<batch, 2>({1, 1}));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().text.starts_with(
      "[batch_norm] x (1, 2): found 1 number for each channel, expected at least 2 in training"))
      << refused.error().text;
  expect_running(net, {0, 0}, {1, 1});
}

std::string name_of(const testing::TestParamInfo<Where>& where) {
  return std::string(where.param.device) + "_" + std::string(name(where.param.backend));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, LayersOn,
                         testing::Values(Where{"cpu", Backend::eager}, Where{"cpu", Backend::compiled},
                                         Where{"late", Backend::eager}, Where{"late", Backend::compiled}),
                         name_of);

}  // namespace
}  // namespace tenon
