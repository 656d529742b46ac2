// Every capsule of an X.vjp, of every device: it agrees with the reference, and has the bits of the rule that it
// replaces.
#include <bit>
#include <cmath>

#include "support/draw_case.h"
#include "support/run_op.h"

namespace tenon::test {
namespace {

/// Runs each operation on a device as it is recorded.
class DeviceRecorder final : public Recorder {
 public:
  DeviceRecorder(OpRunner& runner, DType real) : runner_(runner), real_(real) {}

  Value leaf(HostArray array, Kind kind) {
    types_.push_back({kind, array.shape});
    arrays_.push_back(std::move(array));
    return {this, static_cast<std::uint32_t>(types_.size() - 1)};
  }
  const std::vector<double>& values(Value v) const { return arrays_[v.id].values; }
  const OperandType& type(Value v) const override { return types_[v.id]; }
  std::span<const Node> nodes() const override { return {}; }

 protected:
  Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                  std::span<const Scalar> scalars) override {
    std::vector<HostArray> given;
    for (const Value v : operands) given.push_back(arrays_[v.id]);
    const auto found = runner_.run(op, given, attributes, scalars);
    EXPECT_TRUE(found) << to_string(found.error());
    if (!found) return {this, 0};
    const auto first = static_cast<std::uint32_t>(types_.size());
    for (std::size_t i = 0; i < found->shapes.size(); ++i)
      leaf({found->shapes[i], to_doubles(found->bytes[i], real_)}, Kind::real);
    return {this, first};
  }

 private:
  OpRunner& runner_;
  DType real_;
  std::vector<OperandType> types_;
  std::vector<HostArray> arrays_;
};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

class OwnGradients : public testing::TestWithParam<std::tuple<std::string, DType>> {
 protected:
  DType real() const { return std::get<1>(GetParam()); }

  void check(OpRunner& runner, Op differentiated, const Case& c) {
    const Op vjp = vjp_of(differentiated);
    const std::vector<HostArray> operands = operands_of(vjp, c, real());
    const auto found = runner.run(vjp, operands, c.attributes, {});
    ASSERT_TRUE(found) << to_string(found.error());
    const auto expected = reference_of(vjp, c, operands);
    DeviceRecorder recorder(runner, real());
    std::vector<Value> leaves;
    for (const HostArray& array : operands) leaves.push_back(recorder.leaf(array, spec(vjp).kind(leaves.size())));
    const auto composed = composed_vjp(differentiated, leaves, c.attributes);
    const double tolerance = real() == DType::f32 ? c.tolerance : 1e-9 * c.tolerance / 4e-6;
    for (std::size_t output = 0; output < expected.size(); ++output) {
      ASSERT_EQ(found->shapes[output], expected[output].shape);
      const auto values = to_doubles(found->bytes[output], real());
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_TRUE(agrees(values[i], expected[output].values[i], tolerance))
            << "output " << output << " element " << i << ": found " << values[i] << ", expected "
            << expected[output].values[i];
        ASSERT_TRUE(same_bits(values[i], composed[output] ? recorder.values(composed[output])[i] : 0.0))
            << "output " << output << " element " << i << ": the rule gives other bits than " << values[i];
      }
    }
  }
};

TEST_P(OwnGradients, HaveTheBitsOfTheRule) {
  const std::string& kind = std::get<0>(GetParam());
  SelectionPolicy policy = strict_policy();
  policy.assurance = Assurance::external;
  using Names = std::vector<std::string>;
  const Registry registry = registry_with(kind, policy, kind == "cpu" ? Names{"own_gradients"} : Names{});
  OpRunner runner(registry, real());
  std::size_t capsules = 0;
  for (const OpSpec& row : all_ops()) {
    if (!is_differentiable(row.op) || !registry.names(vjp_of(row.op))) continue;
    ++capsules;
    for (const Case& c : columns(vjp_of(row.op)).cases()) {
      SCOPED_TRACE(std::string(row.name) + ".vjp: " + c.name);
      check(runner, row.op, c);
    }
  }
  EXPECT_GE(capsules, 2u);
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, OwnGradients,
                         testing::Combine(testing::ValuesIn(device_kinds()), testing::Values(DType::f32, DType::f64)),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::string(name(std::get<1>(test.param)));
                         });

}  // namespace
}  // namespace tenon::test
