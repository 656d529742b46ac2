// Every capsule of every device against the table's double-precision reference, over the table's cases.
#include "support/draw_case.h"
#include "support/run_op.h"

namespace tenon::test {
namespace {

using Where = std::tuple<std::string, DType, Op>;

class Conformance : public testing::TestWithParam<Where> {};

TEST_P(Conformance, AgreesWithTheReference) {
  const auto& [kind, real, op] = GetParam();
  OpRunner runner(kind, real);
  for (const Case& c : columns(op).cases()) {
    SCOPED_TRACE(std::string(name(op)) + ": " + c.name);
    const auto operands = operands_of(op, c, real);
    const auto found = runner.run(op, operands, c.attributes, c.scalars);
    ASSERT_TRUE(found) << to_string(found.error());
    const auto expected = reference_of(op, c, operands);
    const double tolerance = real == DType::f32 ? c.tolerance : 1e-9 * c.tolerance / 4e-6;
    for (std::size_t output = 0; output < expected.size(); ++output) {
      ASSERT_EQ(found->shapes[output], expected[output].shape);
      const auto values = to_doubles(found->bytes[output], real);
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_TRUE(agrees(values[i], expected[output].values[i], tolerance))
            << "output " << output << " element " << i << ": found " << values[i] << ", expected "
            << expected[output].values[i];
    }
  }
}

/// Strict kernels of two devices or providers.
class SameBits : public testing::TestWithParam<Where> {
 protected:
  static SelectionPolicy strict(const std::string& provider = {}) {
    SelectionPolicy policy{.strict = true};
    if (!provider.empty()) policy.provider = {ProviderPolicy::Rule::only, provider};
    return policy;
  }
  static void expect_same(OpRunner& one, OpRunner& other, Op op, DType real);
};

void SameBits::expect_same(OpRunner& one, OpRunner& other, Op op, DType real) {
  for (const Case& c : columns(op).cases()) {
    SCOPED_TRACE(std::string(name(op)) + ": " + c.name);
    const auto operands = operands_of(op, c, real);
    const auto a = one.run(op, operands, c.attributes, c.scalars);
    const auto b = other.run(op, operands, c.attributes, c.scalars);
    ASSERT_TRUE(a) << to_string(a.error());
    ASSERT_TRUE(b) << to_string(b.error());
    for (std::size_t output = 0; output < a->bytes.size(); ++output)
      ASSERT_EQ(with_one_nan(a->bytes[output], real), with_one_nan(b->bytes[output], real));
  }
}

TEST_P(SameBits, AsTheCpusReference) {
  const auto& [kind, real, op] = GetParam();
  OpRunner reference(registry_of("cpu", strict("reference")), real), other(registry_of(kind, strict()), real);
  expect_same(reference, other, op, real);
}

std::vector<Op> every_op() {
  std::vector<Op> ops;
  for (const OpSpec& row : all_ops()) ops.push_back(row.op);
  return ops;
}

std::string test_name(const testing::TestParamInfo<Where>& info) {
  const auto& [kind, real, op] = info.param;
  return kind + "_" + std::string(name(real)) + "_" + std::string(name(op));
}

INSTANTIATE_TEST_SUITE_P(EveryCapsule, Conformance,
                         testing::Combine(testing::ValuesIn(device_kinds()), testing::Values(DType::f32, DType::f64),
                                          testing::ValuesIn(every_op())),
                         test_name);
INSTANTIATE_TEST_SUITE_P(EveryCapsule, SameBits,
                         testing::Combine(testing::ValuesIn(device_kinds()), testing::Values(DType::f32, DType::f64),
                                          testing::ValuesIn(every_op())),
                         test_name);

TEST(Conformance, EveryOperationHasCases) {
  for (const OpSpec& row : all_ops()) EXPECT_GE(columns(row.op).cases().size(), 2u) << row.name;
}

}  // namespace
}  // namespace tenon::test
