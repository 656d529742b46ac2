// Attention, scans and Fourier operators against values known from elsewhere; the gradients of
// attention are those of the operations that it is made of, to the bit.
#include <gtest/gtest.h>

#include <cmath>

#include "arrays.h"
#include "tenon/autograd.h"

namespace tenon {
namespace {

// Values below: by the definitions, in another language; the inverse transform from the whole spectrum.

TEST(Reference, AttendsToWhatIsAllowed) {
  ReferenceRecorder r;
  const Value query = r.leaf({{2, 2}, {1, 0.5, 2, -1}}), key = r.leaf({{3, 2}, {1, 1, 0, 2, -1, 0.5}});
  const Value value = r.leaf({{3, 1}, {1, 2, 4}}), mask = r.leaf({{2, 3}, {1, 0, 1, 0, 0, 0}});
  expect_near(r.values(scaled_dot_product_attention(query, key, value, mask)), {1.5077338606873603, 0});
}

TEST(Reference, ScansFromTheFirstState) {
  ReferenceRecorder r;
  const Value a = r.leaf({{3, 1}, {2, 3, -1}}), b = r.leaf({{3, 1}, {1, 10, 100}}), x = r.leaf({{3, 1}, {5, 6, 7}});
  expect_near(r.values(selective_scan(a, b, x, r.leaf({Shape{1}, {4}}))), {13, 99, 601});
  expect_near(r.values(selective_scan_grad(a, x)), {5 + 3 * -1.0, 6 - 7, 7});
}

TEST(Reference, KeepsTheFirstModesOfASpectrum) {
  ReferenceRecorder r;
  const Value x = r.leaf({{2, 6}, {1, -2, 0.5, 3, 0.25, -1.5, 0.75, 2, -1, 0.5, 1, -0.25}});
  const Value re = r.leaf({{4, 2, 1}, {1, 0.5, -1, 2, 0.25, 1, 2, -0.5}});
  const Value im = r.leaf({{4, 2, 1}, {0.5, -1, 1, 0.25, -2, 1, 1, 3}});
  const Slice two{0, 0, 2};
  expect_near(r.values(fft_fno(x, slice(re, two), slice(im, two))),
              {2.529206745596806, 2.7908650880638817, 0.7199916758004093, -1.612540078930141, -1.874198421397215,
               0.1966749908662563});
  expect_near(r.values(fft_fno(x, re, im)), {5.637005436183647, 4.810095264191644, -3.5320371909141954,
                                             -0.2547413883432979, 1.8950317547305449, -5.805353875848347});
}

/// Attention in operations, every leading axis written out.
Value composed(const std::vector<Value>& v) {
  Recorder& r = *v[0].recorder;
  const Factor factor{1 / std::sqrt(static_cast<double>(r.shape(v[0])[-1]))};
  const Value scores = scale(matmul(v[0], permute(v[1], Order{{0, 2, 1}})), factor);
  return matmul(hard_masked_softmax(scores, broadcast(v[3], Target{r.shape(scores)})), v[2]);
}

Value attended(const std::vector<Value>& v) { return scaled_dot_product_attention(v[0], v[1], v[2], v[3]); }

std::vector<std::vector<double>> gradients(Value (*program)(const std::vector<Value>&), double missing) {
  ReferenceRecorder r;
  Case c{.operands = {{2, 3, 4}, {2, 5, 4}, {2, 5, 2}, {3, 5}, {2, 3, 2}}};
  c.values = {{}, {}, {}, {1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0}};
  auto arrays = drawn_operands(c, spec(Op::batch_norm));
  arrays[2].values[4] = missing;  // the third value of the first sample, which no query may see
  std::vector<Value> v;
  for (const HostArray& array : arrays) v.push_back(r.leaf(array));
  const auto found = differentiate(reduce_sum(mul(program(v), v[4])), std::span(v).first(3));
  EXPECT_TRUE(found) << found.error().text;
  std::vector<std::vector<double>> out;
  for (const Value gradient : *found) out.push_back(r.values(gradient));
  return out;
}

TEST(Attention, HasTheGradientsOfTheOperationsThatItIsMadeOf) {
  EXPECT_EQ(gradients(attended, 0.5), gradients(composed, 0.5));
}

TEST(Attention, GivesNothingToAQueryThatMaySeeNoKey) {
  for (const double missing : {0.5, std::numeric_limits<double>::quiet_NaN()}) {
    const auto found = gradients(attended, missing);
    for (std::size_t sample = 0; sample < 2; ++sample)
      for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(found[0][sample * 12 + i], 0);
  }
}

}  // namespace
}  // namespace tenon
