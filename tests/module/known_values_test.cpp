// Known values of the initialisers, made by plans on every device. They come from rng.json, which an independent
// implementation made, condensed in tests/unit/sdk/rng_vectors.txt.
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

#include "module/modules_on.h"

namespace tenon::test {
namespace {

struct Eight {
  Tensor<8> w;

  auto forward(Tensor<batch, 8> x) const { return x * w; }
  auto loss(Tensor<batch, 8> x) const { return reduce_mean(forward(x)); }
};

struct Known {
  FloatInit scheme;
  std::size_t index;
  double wide;
  std::optional<float> narrow;  // that rounded once
};

/// One line of the file: its scheme, then "i value64 value32".
std::optional<Known> known_value(const std::string& line) {
  std::istringstream words(line);
  std::string kind, wide, narrow;
  double a = 0, b = 0;
  std::uint64_t fan_in = 0, fan_out = 0, seed = 0;
  Known known{};
  words >> kind;
  if (kind == "uniform" && words >> a >> b >> seed)
    known.scheme = init::Uniform{a, b, seed};
  else if (kind == "normal" && words >> a >> b >> seed)
    known.scheme = init::Normal{a, b, seed};
  else if (kind == "xavier" && words >> fan_in >> fan_out >> seed)
    known.scheme = init::XavierUniform{fan_in, fan_out, seed};
  else if (kind == "kaiming" && words >> fan_in >> seed)
    known.scheme = init::KaimingUniform{fan_in, seed};
  else
    return std::nullopt;
  words >> known.index >> wide;
  known.wide = std::bit_cast<double>(std::strtoull(wide.c_str(), nullptr, 16));
  if (words >> narrow)
    known.narrow = std::bit_cast<float>(static_cast<std::uint32_t>(std::strtoul(narrow.c_str(), nullptr, 16)));
  return known;
}

std::vector<Known> known_values() {
  std::vector<Known> all;
  std::ifstream file(TENON_RNG_VECTORS);
  for (std::string line; std::getline(file, line);)
    if (const auto known = known_value(line)) all.push_back(*known);
  return all;
}

template <class S>
HostTensor<S, 8> made(ModuleOf<S, Eight>& net, const FloatInit& scheme) {
  EXPECT_EQ(refusal(apply_plan(net, {scheme})), "accepted");
  return must(net.params())["w"_p];
}

class KnownValuesOn : public testing::TestWithParam<Where> {};

TEST_P(KnownValuesOn, AreMadeByPlansInBothWidths) {
  auto wide = must(instantiate_with_plan<double>(define<Eight>(), options_on(GetParam()), {init::zeros()}));
  auto narrow = must(instantiate_with_plan<float>(define<Eight>(), options_on(GetParam()), {init::zeros()}));
  std::size_t compared = 0;
  for (const Known& known : known_values()) {
    if (!validate(known.scheme, 8)) continue;  // zero fans
    const bool is_normal = std::holds_alternative<init::Normal>(known.scheme);
    const double found = made(wide, known.scheme)(known.index);
    const float rounded = made(narrow, known.scheme)(known.index);
    EXPECT_EQ(found, sample_at(known.scheme, known.index));
    EXPECT_EQ(rounded, is_normal ? static_cast<float>(found) : *known.narrow);
    EXPECT_LE(std::abs(std::bit_cast<std::int64_t>(found) - std::bit_cast<std::int64_t>(known.wide)), is_normal ? 1 : 0)
        << found;
    ++compared;
  }
  EXPECT_EQ(compared, 128u);
}

TEST_P(KnownValuesOn, ZerosOnesAndFlatValuesAreExact) {
  auto net = must(instantiate_with_plan<float>(define<Eight>(), options_on(GetParam()), {init::ones()}));
  EXPECT_EQ(made(net, init::ones()), (must(HostTensor<float, 8>::of(std::vector<float>(8, 1)))));
  EXPECT_EQ(made(net, init::zeros()), (must(HostTensor<float, 8>::of(std::vector<float>(8, 0)))));
  const double infinity = std::numeric_limits<double>::infinity();
  const auto flat = made(net, init::flat({0.1, -0.0, 1e300, -infinity, NAN, 0x1p-149, 16777217, 1}));
  EXPECT_EQ(flat(0), 0.1F);
  EXPECT_TRUE(std::signbit(flat(1)));
  EXPECT_EQ(flat(2), infinity);
  EXPECT_EQ(flat(3), -infinity);
  EXPECT_TRUE(std::isnan(flat(4)));
  EXPECT_EQ(flat(5), 0x1p-149F);
  EXPECT_EQ(flat(6), 16777216.0F);
}

/// fan_in_out of a convolution's weight: (3 * 5, 8 * 5).
struct Kernels {
  Tensor<8, 3, 5> w;

  auto forward(Tensor<batch, 8, 3, 5> x) const { return x * w; }
  auto loss(Tensor<batch, 8, 3, 5> x) const { return reduce_mean(forward(x)); }
};

TEST_P(KnownValuesOn, SchemesTakeTheirFansFromTheShape) {
  const auto of = [&](const Plan<ParamsOf<Kernels>>& plan) {
    auto net = must(instantiate_with_plan<float>(define<Kernels>(), options_on(GetParam()), plan));
    return must(net.params())["w"_p];
  };
  const Fans fans = must(fan_in_out(Shape{8, 3, 5}));
  EXPECT_EQ(fans.in, 15u);
  EXPECT_EQ(fans.out, 40u);
  const auto kaiming = of({init::KaimingUniform{15, 7}}), xavier = of({init::XavierUniform{15, 40, 7}});
  EXPECT_EQ(of({init::kaiming_uniform(7)}), kaiming);
  EXPECT_EQ(of({init::xavier_uniform(7)}), xavier);
  EXPECT_EQ(of({must(of_scheme(Scheme::kaiming_uniform, Shape{8, 3, 5}, 7))}), kaiming);
  EXPECT_EQ(of({must(of_scheme(Scheme::xavier_uniform, Shape{8, 3, 5}, 7))}), xavier);
  EXPECT_EQ(of({must(of_scheme(Scheme::ones, Shape{8, 3, 5}, 7))}), of({init::ones()}));
  EXPECT_NE(kaiming, xavier);
  // sqrt(6 / 15) * (2 * unit - 1), the unit known for seed 7 and element 0
  EXPECT_NEAR(kaiming.values()[0], std::sqrt(6.0 / 15) * (2 * 0.49480904755182564 - 1), 1e-9);
}

TEST_P(KnownValuesOn, TheOptionsSeedDecidesTheDefinitionsOwnPlan) {
  Options options = options_on(GetParam());
  options.seed = 12;
  auto net = must(instantiate_configured<double>(define<Kernels>(), options));
  const FloatInit expected = init::KaimingUniform{15, random::next_seed(12, 0)};
  EXPECT_EQ(must(net.params())["w"_p].values()[3], sample_at(expected, 3));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, KnownValuesOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
