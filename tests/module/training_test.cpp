// How a data set is gone through, on every device with every backend.
#include "module/modules_on.h"
#include "tenon/dropout.h"
#include "tenon/shuffle.h"

namespace tenon::test {
namespace {

/// Draws once for each forward, so that the session's counter counts them.
struct Counting {
  Tensor<1> w;

  auto forward(Tensor<batch, 1> x) const { return x * w; }
  auto loss(Tensor<batch, 1> x) const { return reduce_mean(dropout(forward(x), 1)); }
};

template <class S>
HostTensor<S, batch, 1> column(std::vector<S> values) {
  return must(HostTensor<S, batch, 1>::of(std::move(values)));
}

class TrainingOn : public testing::TestWithParam<Where> {
 protected:
  ModuleOf<double, Counting> counting() {
    return must(instantiate_float_with_plan(define<Counting>(), options_on(GetParam()), {init::ones()}));
  }
  /// Rows of a batch in another module, by hand.
  static TypedRows<float> rows_at(const Rows& all, std::span<const std::uint64_t> order) {
    Rows taken(0);
    for (const std::uint64_t row : order) {
      for (std::uint64_t j = 0; j < 3; ++j) taken.x.push_back(all.x[3 * row + j]);
      taken.labels.push_back(all.labels[row]);
    }
    return TypedRows<float>(taken);
  }
};

TEST_P(TrainingOn, RunsExactlyOneForwardForEachStep) {
  auto net = counting();
  const auto x = column<double>({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(must(net.train_sgd({.epochs = 2, .batch = 3}, x)).steps, 6u);
  EXPECT_EQ(net.core().session().draws(), 6u);
  Optimizer momentum = must(net.init_optim(optim::momentum()));
  EXPECT_EQ(must(net.train_with(momentum, {.epochs = 3, .batch = 7, .shuffle = 1}, x)).steps, 3u);
  EXPECT_EQ(net.core().session().draws(), 9u);
  EXPECT_EQ(momentum.steps(), 3);
  ASSERT_TRUE(net.step_with_loss(0.1, x));
  ASSERT_TRUE(net.loss_and_backward(x));
  EXPECT_EQ(net.core().session().draws(), 11u);
  ASSERT_TRUE(net.mean_loss(2, x));
  EXPECT_EQ(net.core().session().draws(), 11u);
}

TEST_P(TrainingOn, KeepsTheLastSmallerBatchAndWeighsLossesByRows) {
  auto net = counting();
  const auto x = column<double>({1, 2, 3, 4, 5, 6, 10});
  const TrainingReport report = must(net.train_sgd({.epochs = 1, .batch = 3, .rate = 0}, x));
  EXPECT_EQ(report.steps, 3u);
  ASSERT_EQ(report.epoch_losses.size(), 1u);
  EXPECT_DOUBLE_EQ(report.epoch_losses[0], 31.0 / 7);
  EXPECT_DOUBLE_EQ(must(net.mean_loss(3, x)), 31.0 / 7);
  EXPECT_DOUBLE_EQ(must(net.mean_loss(100, x)), 31.0 / 7);
}

TEST_P(TrainingOn, ReportsLossesBeforeEachUpdate) {
  auto net = counting();  // the loss is w * mean(x), its gradient mean(x)
  const auto x = column<double>({2, 2, 4});
  const TrainingReport report = must(net.train_sgd({.epochs = 2, .batch = 2, .rate = 0.125}, x));
  // w: 1, then 1 - 0.25, then 0.75 - 0.5, then 0.25 - 0.25, then 0 - 0.5
  EXPECT_DOUBLE_EQ(report.epoch_losses[0], (2 * 2 * 1 + 4 * 0.75) / 3);
  EXPECT_DOUBLE_EQ(report.epoch_losses[1], (2 * 2 * 0.25 + 4 * 0.0) / 3);
  EXPECT_EQ(must(net.params()).arrays()[0], std::vector<double>{-0.5});
}

TEST_P(TrainingOn, TakesRowsInTheOrderOfThePermutationOfSeedAndEpoch) {
  constexpr std::uint64_t rows = 10, size = 4, seed = 77;
  const Rows all(rows);
  const TypedRows<float> data(all);
  auto trained = mlp_on<float>(GetParam()), by_hand = mlp_on<float>(GetParam());
  Optimizer adam = must(trained.init_optim(optim::adam())), same = must(by_hand.init_optim(optim::adam()));
  ASSERT_TRUE(
      trained.train_with(adam, {.epochs = 2, .batch = size, .rate = 0.05, .shuffle = seed}, data.x, data.label));
  for (std::uint64_t epoch = 1; epoch <= 2; ++epoch) {
    const std::vector<std::uint64_t> order = permutation(rows, seed, epoch);
    for (std::uint64_t first = 0; first < rows; first += size) {
      const auto taken = rows_at(all, std::span(order).subspan(first, std::min(size, rows - first)));
      ASSERT_TRUE(by_hand.step_with(same, 0.05, taken.x, taken.label));
    }
  }
  EXPECT_EQ(must(trained.params()), must(by_hand.params()));
}

TEST_P(TrainingOn, WithoutAShuffleRowsStandAsTheyAre) {
  const Rows all(5);
  const TypedRows<float> data(all);
  auto trained = mlp_on<float>(GetParam()), by_hand = mlp_on<float>(GetParam());
  ASSERT_TRUE(trained.train_sgd({.epochs = 1, .batch = 2, .rate = 0.5}, data.x, data.label));
  for (const std::vector<std::uint64_t>& order : {std::vector<std::uint64_t>{0, 1}, {2, 3}, {4}}) {
    const auto taken = rows_at(all, order);
    ASSERT_TRUE(by_hand.step(0.5, taken.x, taken.label));
  }
  EXPECT_EQ(must(trained.params()), must(by_hand.params()));
}

TEST_P(TrainingOn, AnEmptyDataSetIsAnError) {
  auto net = counting();
  const auto nothing = column<double>({});
  for (const auto& refused : {net.train_sgd({}, nothing), net.train_sgd({.shuffle = 1}, nothing)}) {
    EXPECT_EQ(refusal(refused), "[data set] found no rows, expected at least one");
    EXPECT_EQ(refused.error().reason, Reason::DATA_MISMATCH);
  }
  Optimizer sgd = must(net.init_optim(optim::sgd()));
  EXPECT_EQ(refusal(net.train_with(sgd, {}, nothing)), "[data set] found no rows, expected at least one");
  EXPECT_EQ(refusal(net.mean_loss(2, nothing)), "[data set] found no rows, expected at least one");
  EXPECT_EQ(sgd.steps(), 0);
}

TEST_P(TrainingOn, RefusesInputsThatDisagreeAndBatchesOfNoRows) {
  auto net = mlp_on<float>(GetParam());
  const TypedRows<float> data(4), fewer(3);
  EXPECT_EQ(refusal(net.train_sgd({}, data.x, fewer.label)),
            "[data set] input 1: found 3 rows, expected 4 as in the inputs before");
  EXPECT_EQ(refusal(net.train_sgd({.batch = 0}, data.x, data.label)),
            "[data set] batch: found 0 rows a step, expected at least one");
  EXPECT_EQ(refusal(net.mean_loss(0, data.x, data.label)),
            "[data set] batch: found 0 rows a step, expected at least one");
}

/// The second input has no rows: every batch sees all of it.
struct WithTable {
  Tensor<2> w;

  auto forward(Tensor<batch, 2> x, Tensor<2> shift) const { return x * w + shift; }
  auto loss(Tensor<batch, 2> x, Tensor<2> shift) const { return reduce_mean(forward(x, shift)); }
};

TEST_P(TrainingOn, InputsWithoutRowsAreWholeInEveryBatch) {
  auto net = must(instantiate_float_with_plan(define<WithTable>(), options_on(GetParam()), {init::ones()}));
  const auto x = must(HostTensor<double, batch, 2>::of({1, 2, 3, 4, 5, 6}));
  const auto shift = must(HostTensor<double, 2>::of({10, 20}));
  EXPECT_DOUBLE_EQ(must(net.mean_loss(2, x, shift)), 3.5 + 15);
  EXPECT_DOUBLE_EQ(must(net.train_sgd({.epochs = 1, .batch = 1, .rate = 0, .shuffle = 3}, x, shift)).epoch_losses[0],
                   3.5 + 15);
}

TEST_P(TrainingOn, NoEpochsAreNoSteps) {
  auto net = counting();
  const TrainingReport report = must(net.train_sgd({.epochs = 0}, column<double>({1})));
  EXPECT_EQ(report.steps, 0u);
  EXPECT_EQ(report.epoch_losses, std::vector<double>());
}

INSTANTIATE_TEST_SUITE_P(Everywhere, TrainingOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
