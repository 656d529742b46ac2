#include "harness.h"
#include "tenon/numerics.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceRows : public RealTest<T> {
 protected:
  using Values = std::vector<T>;
  static Values normalise(const std::string& op, const Extents& shape, const Values& x, bool in_place = false) {
    Call call = RealTest<T>::call(op);
    call.operand<T>(shape, x).template output<T>(shape);
    if (in_place) call.in_place(0, 0);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
  /// What the specification says, without the tree's blocks: up to sixteen elements.
  static T tree(Values lanes) {
    lanes.resize(16, 0);
    for (std::size_t half = 8; half > 0; half /= 2) {
      for (std::size_t j = 0; j < half; ++j) lanes[j] += lanes[j + half];
    }
    return lanes[0];
  }
};
TYPED_TEST_SUITE(ReferenceRows, Reals);

TYPED_TEST(ReferenceRows, FollowTheSequencesOfTheSpecification) {
  using T = TypeParam;
  const std::vector<T> x{T(0.3), -1, T(2.5), T(0.7), T(1.1)};
  std::vector<T> d, e, softmax, log_softmax;
  for (const T value : x) d.push_back(value - T(2.5));
  for (const T value : d) e.push_back(strict::exp(value));
  const T sum = this->tree(e);
  for (const T value : e) softmax.push_back(value / sum);
  for (const T value : d) log_softmax.push_back(value - strict::log(sum));
  for (const bool in_place : {false, true}) {
    EXPECT_TRUE(same_bits(this->normalise("softmax", {1, 5}, x, in_place), softmax));
    EXPECT_TRUE(same_bits(this->normalise("log_softmax", {5}, x, in_place), log_softmax));
  }
}

TYPED_TEST(ReferenceRows, NormaliseEachRowAlone) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->normalise("softmax", {2, 2}, {0, 0, 1000, -1000}), {T(0.5), T(0.5), 1, 0}));
  EXPECT_TRUE(same_bits(this->normalise("softmax", {2, 1}, {5, -infinity<T>}), {1, nan<T>}));
  EXPECT_TRUE(same_bits(this->normalise("softmax", {1, 2}, {1, nan<T>}), {nan<T>, nan<T>}));
  EXPECT_TRUE(same_bits(this->normalise("softmax", {1, 2}, {0, -infinity<T>}), {1, 0}));
  EXPECT_TRUE(same_bits(this->normalise("log_softmax", {1, 2}, {1000, -1000}), {0, -2000}));
  EXPECT_TRUE(this->normalise("softmax", {0, 3}, {}).empty());
  EXPECT_TRUE(this->normalise("log_softmax", {3, 0}, {}).empty());
}

TYPED_TEST(ReferenceRows, MaskedSoftmaxIsTheSoftmaxOfWhatIsAllowed) {
  using T = TypeParam;
  const std::vector<T> allowed = this->normalise("softmax", {3}, {T(0.3), T(0.7), T(1.1)});
  for (const int in_place : {-1, 0, 1}) {
    Call call = this->call("hard_masked_softmax");
    call.operand<T>({2, 4}, {T(0.3), nan<T>, T(0.7), T(1.1), 1, 2, 3, 4});
    call.template operand<T>({2, 4}, {1, 0, 1, 1, 0, 0, 0, 0}).template output<T>({2, 4});
    if (in_place >= 0) call.in_place(0, static_cast<std::uint32_t>(in_place));
    ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
    const T e0 = strict::exp(T(0.3) - T(1.1)), e2 = strict::exp(T(0.7) - T(1.1));
    const T sum = this->tree({e0, 0, e2, 1});
    EXPECT_TRUE(same_bits(call.template result<T>(), {e0 / sum, 0, e2 / sum, 1 / sum, 0, 0, 0, 0}));
    EXPECT_NEAR(call.template result<T>()[0], allowed[0], std::numeric_limits<T>::epsilon());
  }
}

TYPED_TEST(ReferenceRows, LayerNormFollowsTheSequenceOfTheSpecification) {
  using T = TypeParam;
  const std::vector<T> x{T(0.3), -1, T(2.5)}, weight{1, T(0.7), -2}, bias{0, T(0.1), 1};
  const T mean = this->tree(x) / 3;
  std::vector<T> squares, expected;
  for (const T value : x) squares.push_back((value - mean) * (value - mean));
  const T deviation = strict::sqrt(this->tree(squares) / 3 + T(1e-5));
  for (std::size_t i = 0; i < 3; ++i) expected.push_back((x[i] - mean) / deviation * weight[i] + bias[i]);
  Call call = this->call("layer_norm");
  call.operand<T>({1, 3}, x).template operand<T>({3}, weight).template operand<T>({3}, bias);
  call.template output<T>({1, 3});
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.template result<T>(), expected));
}

TYPED_TEST(ReferenceRows, BatchNormTakesTheNumbersOfTheChannel) {
  using T = TypeParam;
  Call call = this->call("batch_norm");
  call.operand<T>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})
      .template operand<T>({2}, {1, 4})
      .template operand<T>({2}, {3, 0});
  call.template operand<T>({2}, {4, 2}).template operand<T>({2}, {0, 1}).template output<T>({2, 2, 2});
  call.real("epsilon", 1);
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.template result<T>(), {0, 2, -1, 1, 8, 10, 7, 9}));
}

TYPED_TEST(ReferenceRows, NormsRefuseVectorsOfAnotherLength) {
  using T = TypeParam;
  Call call = this->call("layer_norm");
  call.operand<T>({1, 3}, {1, 2, 3}).template operand<T>({3}, {1, 1, 1}).template operand<T>({2}, {0, 0});
  call.template output<T>({1, 3});
  EXPECT_EQ(call.run(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[layer_norm] x (1, 3), operand 2 (2)");
}

TYPED_TEST(ReferenceRows, MeanSquaredErrorIsASumByTreeDividedOnce) {
  using T = TypeParam;
  Call call = this->call("mse_loss");
  call.operand<T>({3}, {1, T(0.1), 3}).template operand<T>({3}, {0, T(0.3), 5}).template output<T>({});
  ASSERT_EQ(call.run(), TENON_OK);
  const T difference = T(0.1) - T(0.3);
  EXPECT_TRUE(same_bits(call.template result<T>(), {this->tree({1, difference * difference, 4}) / 3}));
}

TYPED_TEST(ReferenceRows, MeanSquaredErrorOfNothingIsNan) {
  using T = TypeParam;
  Call call = this->call("mse_loss");
  call.operand<T>({0, 2}, {}).template operand<T>({0, 2}, {}).template output<T>({});
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {nan<T>}));
}

TYPED_TEST(ReferenceRows, CrossEntropyIsTheMeanOfMinusLogSoftmaxAtTheLabels) {
  using T = TypeParam;
  const std::vector<T> logits{T(0.3), -1, T(2.5), T(0.7), T(1.1), 0};
  const std::vector<T> log_softmax = this->normalise("log_softmax", {2, 3}, logits);
  Call call = this->call("cross_entropy");
  call.operand<T>({2, 3}, logits).template operand<std::uint32_t>({2}, {2, 0}).template output<T>({});
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.template result<T>(), {(-log_softmax[2] + -log_softmax[3]) / 2}));
}

TYPED_TEST(ReferenceRows, CrossEntropyGradientIsSoftmaxMinusOneAtTheLabelTimesTheShare) {
  using T = TypeParam;
  const std::vector<T> logits{T(0.3), -1, T(2.5), T(0.7), T(1.1), 0};
  std::vector<T> expected = this->normalise("softmax", {2, 3}, logits);
  expected[2] -= 1, expected[3] -= 1;
  for (T& value : expected) value *= T(0.3) / 2;
  for (const bool in_place : {false, true}) {
    Call call = this->call("cross_entropy_grad");
    call.operand<T>({2, 3}, logits).template operand<T>({}, {T(0.3)}).template operand<std::uint32_t>({2}, {2, 0});
    call.template output<T>({2, 3});
    if (in_place) call.in_place(0, 0);
    ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
    EXPECT_TRUE(same_bits(call.template result<T>(), expected));
  }
}

TYPED_TEST(ReferenceRows, RefusesALabelBeyondTheClassesWithoutReadingThere) {
  using T = TypeParam;
  Call loss = this->call("cross_entropy");
  loss.operand<T>({2, 2}, {1, 2, 3, 4}).template operand<std::uint32_t>({2}, {1, 2}).template output<T>({});
  EXPECT_EQ(loss.run(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[cross_entropy] labels: element 1 is 2, but axis 1 of logits has size 2");

  Call gradient = this->call("cross_entropy_grad");
  gradient.operand<T>({1, 2}, {1, 2})
      .template operand<T>({}, {1})
      .template operand<std::uint32_t>({1}, {4'000'000'000});
  gradient.template output<T>({1, 2});
  EXPECT_EQ(gradient.run(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[cross_entropy_grad] labels: element 0 is 4000000000, but axis 1 of logits has size 2");
}

TYPED_TEST(ReferenceRows, CrossEntropyOfNoRowsIsNan) {
  using T = TypeParam;
  Call call = this->call("cross_entropy");
  call.operand<T>({0, 3}, {}).template operand<std::uint32_t>({0}, {}).template output<T>({});
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {nan<T>}));
}

}  // namespace
}  // namespace tenon::testing
