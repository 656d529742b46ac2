// Every optimizer by name against its formula in double, for three steps on a module of three weights.
#include <cmath>

#include "module/modules_on.h"

namespace tenon::test {
namespace {

struct Product {
  Tensor<3> w;

  auto forward(Tensor<batch, 3> x) const { return x * w; }
  auto loss(Tensor<batch, 3> x, Tensor<batch, 3> y) const { return mse_loss(forward(x), y); }
};

constexpr std::array<double, 3> start{0.5, -1.25, 2};
constexpr std::array<std::array<double, 3>, 2> xs{{{1, 2, -0.5}, {0.25, -1, 3}}}, ys{{{0, 1, 2}, {-1, 0.5, 0.125}}};
constexpr double rate = 0.1;

double square(double x) { return x * x; }

/// The loss is the mean over all six elements.
double gradient(double w, std::size_t column) {
  double sum = 0;
  for (std::size_t row = 0; row < 2; ++row) sum += 2 * (xs[row][column] * w - ys[row][column]) * xs[row][column];
  return sum / 6;
}

double loss(const std::array<double, 3>& w) {
  double sum = 0;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t j = 0; j < 3; ++j) sum += square(xs[row][j] * w[j] - ys[row][j]);
  return sum / 6;
}

/// One weight's next value; a and b are what the optimizer keeps for it.
using Update = double (*)(double w, double g, double& a, double& b, int step);

struct Formula {
  const char* name;
  OptimizerSpec spec;
  Update update;
};

double adam_step(double w, double g, double& m, double& v, int step) {
  m = 0.9 * m + 0.1 * g;
  v = 0.999 * v + 0.001 * g * g;
  return w - rate * (m / (1 - std::pow(0.9, step))) / (std::sqrt(v / (1 - std::pow(0.999, step))) + 1e-8);
}

/// PyTorch's documentation of torch.optim, class by class.
std::vector<Formula> formulas() {
  return {{"sgd", optim::sgd(), [](double w, double g, double&, double&, int) { return w - rate * g; }},
          {"momentum", optim::momentum(),
           [](double w, double g, double& velocity, double&, int) {
             velocity = 0.9 * velocity + g;
             return w - rate * velocity;
           }},
          {"adagrad", optim::adagrad({.rate_decay = 0.5}),
           [](double w, double g, double& sum, double&, int step) {
             sum += g * g;
             return w - rate / (1 + (step - 1) * 0.5) * g / (std::sqrt(sum) + 1e-10);
           }},
          {"rmsprop", optim::rmsprop(),
           [](double w, double g, double& average, double&, int) {
             average = 0.99 * average + 0.01 * g * g;
             return w - rate * g / (std::sqrt(average) + 1e-8);
           }},
          {"adam", optim::adam(), adam_step},
          {"adam_with_decay", optim::adam({.decay = 0.25}),
           [](double w, double g, double& m, double& v, int step) { return adam_step(w, g + 0.25 * w, m, v, step); }},
          {"adamw", optim::adamw(),
           [](double w, double g, double& m, double& v, int step) {
             return adam_step(w * (1 - rate * 0.01), g, m, v, step);
           }},
          {"adadelta", optim::adadelta(), [](double w, double g, double& squares, double& deltas, int) {
             squares = 0.9 * squares + 0.1 * g * g;
             const double delta = std::sqrt(deltas + 1e-6) / std::sqrt(squares + 1e-6) * g;
             deltas = 0.9 * deltas + 0.1 * delta * delta;
             return w - rate * delta;
           }}};
}

template <std::size_t n>
HostTensor<double, batch, 3> rows_of(const std::array<std::array<double, 3>, n>& rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return must(HostTensor<double, batch, 3>::of(std::move(values)));
}

class OptimizersOn : public testing::TestWithParam<Where> {};

TEST_P(OptimizersOn, FollowTheirFormulasWithPyTorchsDefaults) {
  const auto x = rows_of(xs), y = rows_of(ys);
  for (const Formula& formula : formulas()) {
    SCOPED_TRACE(formula.name);
    auto net = must(instantiate_float_with_plan(define<Product>(), options_on(GetParam()),
                                                {init::flat({start.begin(), start.end()})}));
    Optimizer optimizer = must(net.init_optim(formula.spec));
    std::array<double, 3> w = start, a{}, b{};
    for (int step = 1; step <= 3; ++step) {
      EXPECT_NEAR(must(net.step_with(optimizer, rate, x, y)), loss(w), 1e-12);
      for (std::size_t j = 0; j < 3; ++j) w[j] = formula.update(w[j], gradient(w[j], j), a[j], b[j], step);
      const auto found = must(net.params());
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found.arrays()[0][j], w[j], 1e-9 * std::abs(w[j])) << step;
    }
  }
}

TEST_P(OptimizersOn, RefusesAnOperationThatIsNoUpdate) {
  auto net = must(instantiate_float_with_plan(define<Product>(), options_on(GetParam()), {init::ones()}));
  EXPECT_EQ(refusal(net.init_optim({Op::add})), "[optimizer] found operation add, expected an update");
}

TEST_P(OptimizersOn, OfAnotherModuleAreRefused) {
  auto net = must(instantiate_float_with_plan(define<Product>(), options_on(GetParam()), {init::ones()}));
  auto other = must(instantiate_float_with_plan(define<Product>(), options_on(GetParam()), {init::ones()}));
  Optimizer theirs = must(other.init_optim(optim::adam()));
  EXPECT_EQ(refusal(net.step_with(theirs, rate, rows_of(xs), rows_of(ys))),
            "[optimizer] adam: found another session's parameters, expected those it was made for");
}

INSTANTIATE_TEST_SUITE_P(Everywhere, OptimizersOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
