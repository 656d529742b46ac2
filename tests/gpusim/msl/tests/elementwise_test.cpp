// Every elementwise kernel against the same expression on the host (tenon/elementwise.h): the hard inputs of the
// elementary functions, special values, and random bit patterns; on a device that flushes subnormals.
#include "tenon/elementwise.h"

#include <array>
#include <fstream>

#include "plugins/metal/kernels/constants.h"
#include "run.h"

namespace gpusim::msl {
namespace {

using tenon_metal::Elementwise;
using Bits = std::vector<std::uint32_t>;
using Rule = float (*)(const float* operands, float a, float b);

struct Operation {
  const char* name;
  unsigned operands;
  Rule rule;
};

// A lambda for each: the templates have no address before their type is known.
#define MSL_RULE_1(op)                                                                              \
  {                                                                                                 \
#op, 1, [](const float* x, float, float) { return tenon::elementwise::elementwise_##op(x[0]); } \
  }
#define MSL_RULE_1A(op)                                                                                  \
  {                                                                                                      \
#op, 1, [](const float* x, float a, float) { return tenon::elementwise::elementwise_##op(x[0], a); } \
  }
#define MSL_RULE_1AB(op)                                                                                      \
  {                                                                                                           \
#op, 1, [](const float* x, float a, float b) { return tenon::elementwise::elementwise_##op(x[0], a, b); } \
  }
#define MSL_RULE_2(op)                                                                                    \
  {                                                                                                       \
#op, 2, [](const float* x, float, float) { return tenon::elementwise::elementwise_##op(x[0], x[1]); } \
  }
#define MSL_RULE_2AB(op)                                                                                            \
  {                                                                                                                 \
#op, 2, [](const float* x, float a, float b) { return tenon::elementwise::elementwise_##op(x[0], x[1], a, b); } \
  }
#define MSL_RULE_3(op)                                                                                          \
  {                                                                                                             \
#op, 3, [](const float* x, float, float) { return tenon::elementwise::elementwise_##op(x[0], x[1], x[2]); } \
  }

const Operation operations[] = {MSL_RULE_2(add),
                                MSL_RULE_2(sub),
                                MSL_RULE_2(mul),
                                MSL_RULE_2(div),
                                MSL_RULE_2(maximum),
                                MSL_RULE_2(minimum),
                                MSL_RULE_2(equal),
                                MSL_RULE_2(less),
                                MSL_RULE_3(where),
                                MSL_RULE_1A(scale),
                                MSL_RULE_1(neg),
                                MSL_RULE_1(relu),
                                MSL_RULE_1(sqrt),
                                MSL_RULE_1(abs),
                                MSL_RULE_1(sign),
                                MSL_RULE_1AB(clamp),
                                MSL_RULE_1(inv),
                                MSL_RULE_1(sigmoid),
                                MSL_RULE_1(tanh),
                                MSL_RULE_1(exp),
                                MSL_RULE_1(log),
                                MSL_RULE_1(softplus),
                                MSL_RULE_1(sin),
                                MSL_RULE_1(cos),
                                MSL_RULE_1(erf),
                                MSL_RULE_1(gelu),
                                MSL_RULE_1(gelu_tanh),
                                MSL_RULE_1A(safe_log),
                                MSL_RULE_3(maximum_grad),
                                MSL_RULE_3(minimum_grad),
                                MSL_RULE_2(relu_grad),
                                MSL_RULE_2(sigmoid_grad),
                                MSL_RULE_2(tanh_grad),
                                MSL_RULE_2(sqrt_grad),
                                MSL_RULE_2AB(clamp_grad),
                                MSL_RULE_2(gelu_grad),
                                MSL_RULE_2(gelu_tanh_grad),
                                MSL_RULE_2(erf_grad)};

std::uint32_t pattern(float x) { return __builtin_bit_cast(std::uint32_t, x); }
float number(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// Hexadecimal inputs and results, under the functions' names.
Bits hard_inputs() {
  std::ifstream file(MSL_HARD_CASES);
  Bits inputs;
  for (std::string line; std::getline(file, line);) {
    if (line.size() == 17 && line[8] == ' ')
      inputs.push_back(std::uint32_t(std::stoul(line.substr(0, 8), nullptr, 16)));
  }
  return inputs;
}

Bits inputs_of(unsigned operand) {
  static const Bits hard = hard_inputs();
  std::mt19937 engine(5 + operand);
  Bits inputs = operand == 0 ? hard : Bits();
  const Bits special = {0u,          0x80000000u, 1u,          0x80000001u, 0x007fffffu, 0x00800000u,
                        0x80800000u, 0x3f800000u, 0xbf800000u, 0x7f7fffffu, 0x7f800000u, 0xff800000u,
                        0x7fc00000u, 0x3f000000u, 0x41000000u, 0xc1000000u, 0x00400000u, 0x34000000u};
  while (inputs.size() < hard.size() + 20003) {
    const auto draw = std::uint32_t(engine());
    if (draw % 8 == 0)
      inputs.push_back(special[draw / 8 % special.size()]);
    else if (draw % 8 < 4)
      inputs.push_back(pattern(float(int(draw >> 8) - (1 << 23)) * 0x1p-20f));  // between -8 and 8
    else
      inputs.push_back(std::uint32_t(engine()));
  }
  return inputs;
}

class MetalElementwise : public testing::TestWithParam<Operation> {};

TEST_P(MetalElementwise, GivesTheBitsOfTheHost) {
  const Operation& operation = GetParam();
  constexpr float a = -0.75f, b = 1.25f;
  std::array<Bits, 3> inputs;
  for (unsigned i = 0; i < operation.operands; ++i) inputs[i] = inputs_of(i);
  const std::size_t count = inputs[0].size();
  Bits expected(count);
  for (std::size_t i = 0; i < count; ++i) {
    float x[3] = {};
    for (unsigned k = 0; k < operation.operands; ++k) x[k] = number(inputs[k][i]);
    expected[i] = pattern(operation.rule(x, a, b));
  }
  Runner runner(plain());
  std::vector<void*> arrays;
  for (unsigned k = 0; k < operation.operands; ++k) arrays.push_back(runner.of(inputs[k]));
  auto* result = runner.unwritten<std::uint32_t>(count);
  arrays.push_back(result);
  runner.run(std::string("elementwise_") + operation.name, {8, 1, 1}, 64, arrays, Elementwise{unsigned(count), a, b});
  expect_same(runner.read(result, count), expected, operation.name);
}

INSTANTIATE_TEST_SUITE_P(All, MetalElementwise, testing::ValuesIn(operations),
                         [](const auto& operation) { return operation.param.name; });

/// Any number of elements, the last few of which are no four; in place; every access looked at.
TEST(MetalElementwiseQuads, EndWhereTheTensorDoes) {
  for (const unsigned width : {8u, 32u, 64u}) {
    for (const unsigned count : {1u, 3u, 4u, 5u, 63u, 64u, 130u}) {
      Runner runner(checked(), {width});
      Bits x(count);
      for (unsigned i = 0; i < count; ++i) x[i] = pattern(float(i) - 2);
      auto* array = runner.of(x);
      runner.run("elementwise_scale", {3, 1, 1}, 8, {array, array}, Elementwise{count, 3, 0});
      for (auto& element : x) element = pattern(number(element) * 3);
      EXPECT_EQ(runner.faults(), std::vector<std::string>());
      EXPECT_EQ(runner.read(array, count), x) << count;
    }
  }
}

}  // namespace
}  // namespace gpusim::msl
