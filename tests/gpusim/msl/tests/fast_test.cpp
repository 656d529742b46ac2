// Fast kernels against binary64 on the host: near, and right at the ends. Metal's functions are the host's here, so
// this is about the formulas around them and about SIMD-groups of any width.
#include "host.h"

namespace gpusim::msl {
namespace {

using namespace tenon_metal;

struct Function {
  const char* name;
  double (*exact)(double);
  double absolute;  // beside some last places of the result
};
const Function functions[] = {
    {"exp", [](double x) { return std::exp(x); }, 0},
    {"log", [](double x) { return std::log(x); }, 0},
    {"sin", [](double x) { return std::sin(x); }, 1e-7},
    {"cos", [](double x) { return std::cos(x); }, 1e-7},
    {"tanh", [](double x) { return std::tanh(x); }, 0},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, 0},
    {"softplus", [](double x) { return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))); }, 0},
    {"erf", [](double x) { return std::erf(x); }, 0},
    {"gelu", [](double x) { return 0.5 * x * std::erfc(-x * 0.70710678118654752440); }, 1e-37}};

class MetalFastFunctions : public testing::TestWithParam<Function> {};

TEST_P(MetalFastFunctions, AreNear) {
  Floats x = drawn(1000, Range::ordinary, 101);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] *= 8;
  for (std::size_t i = 0; i < x.size(); i += 7) x[i] *= 0x1p-10f;
  Kernel kernel(plain(), {}, std::string("fast_") + GetParam().name);
  kernel.reads(x).writes(x.size()).run({2, 1, 1}, 32, Elementwise{unsigned(x.size()), 0, 0});
  const Floats found = kernel.result();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = GetParam().exact(x[i]);
    if (std::isnan(exact)) {
      ASSERT_TRUE(std::isnan(found[i])) << x[i];
    } else {
      ASSERT_NEAR(found[i], exact, GetParam().absolute + 4e-6 * std::fabs(exact)) << x[i];
    }
  }
}

TEST_P(MetalFastFunctions, HaveTheirLimits) {
  const Floats x = {0, -0.0f, INFINITY, -INFINITY, NAN, 200, -200};
  Kernel kernel(plain(), {}, std::string("fast_") + GetParam().name);
  kernel.reads(x).writes(x.size()).run({1, 1, 1}, 32, Elementwise{unsigned(x.size()), 0, 0});
  const Floats found = kernel.result();
  const bool is_gelu = std::string(GetParam().name) == "gelu";  // whose exact form is a NaN at -infinity
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto exact = is_gelu && x[i] == -INFINITY ? -0.0f : float(GetParam().exact(x[i]));
    if (std::isnan(exact))
      EXPECT_TRUE(std::isnan(found[i])) << x[i];
    else if (std::isinf(exact))
      EXPECT_EQ(found[i], exact) << x[i];
    else
      EXPECT_NEAR(found[i], exact, 1e-6 * std::fabs(exact) + 1e-37) << x[i];
  }
}
INSTANTIATE_TEST_SUITE_P(All, MetalFastFunctions, testing::ValuesIn(functions),
                         [](const auto& function) { return function.param.name; });

TEST(MetalFastRows, AreNearInSimdGroupsOfAnyWidth) {
  for (const unsigned width : {4u, 8u, 16u, 32u, 64u}) {
    for (const unsigned n : {1u, 10u, 70u}) {
      constexpr unsigned rows = 19;
      const Floats x = drawn(rows * n, Range::ordinary, 102);
      for (const bool logarithm : {false, true}) {
        Kernel kernel(checked(), {width}, logarithm ? "fast_log_softmax" : "fast_softmax");
        kernel.reads(x).writes(x.size()).run({2, 1, 1}, team_threads, Rows{rows, n, 0});
        const Floats found = kernel.result();
        for (unsigned row = 0; row < rows; ++row) {
          double sum = 0;
          for (unsigned i = 0; i < n; ++i) sum += std::exp(double(x[row * n + i]));
          for (unsigned i = 0; i < n; ++i) {
            const double p = std::exp(double(x[row * n + i])) / sum;
            ASSERT_NEAR(found[row * n + i], logarithm ? std::log(p) : p, 2e-6) << "width " << width << ", n " << n;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gpusim::msl
