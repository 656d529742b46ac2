#include <gtest/gtest.h>

#include "tenon/default_plan.h"

namespace tenon {
namespace {

struct Mlp {
  Linear<2, 16> fc1;
  Linear<16, 3> fc2;
};
using Params = ParamsOf<Mlp>;

TEST(Plan, TakesInitializersInOrderAndFansFromShapes) {
  const Plan<Params> plan{"fc1.weight"_p = init::kaiming_uniform(1), "fc1.bias"_p = init::zeros(),
                          init::xavier_uniform(2), init::flat({1, 2, 3})};
  static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(plan.to_array())>> == 4);
  EXPECT_EQ(plan.to_array()[0], FloatInit(init::KaimingUniform{2, 1}));
  EXPECT_EQ(plan.to_array()[1], FloatInit(init::Zeros{}));
  EXPECT_EQ(plan.to_array()[2], FloatInit(init::XavierUniform{16, 3, 2}));
  EXPECT_EQ(plan.to_array()[3], FloatInit(init::Flat{{1, 2, 3}}));
  EXPECT_TRUE(plan.validate());
}

TEST(Plan, ReplacesAnInitializerByName) {
  Plan<Params> plan = default_plan<Mlp>(0);
  plan.set("fc2.bias"_p, init::normal(0, 1, 9)).set("fc2.weight"_p, init::kaiming_uniform(7));
  EXPECT_EQ(plan.to_array()[2], FloatInit(init::KaimingUniform{16, 7}));
  EXPECT_EQ(plan.to_array()[3], FloatInit(init::Normal{0, 1, 9}));
}

TEST(Plan, IsBuiltFromItsParts) {
  const auto tail = cons<param("fc1.bias", 16)>(init::ones(), nil());
  const auto head = cons<param("fc1.weight", 16, 2)>(init::uniform(-1, 1, 5), tail);
  const auto all = append(head, Plan<Shapes<Shape{3, 16}, Shape{3}>>{init::zeros(), init::zeros()});
  const Plan<Params> plan = all;
  EXPECT_EQ(plan.to_array()[0], FloatInit(init::Uniform{-1, 1, 5}));
  EXPECT_EQ(plan.to_array()[1], FloatInit(init::Ones{}));
  EXPECT_EQ(plan.to_array()[3], FloatInit(init::Zeros{}));
}

TEST(Plan, RefusesAnotherNumberOfInitializersAtRunTime) {
  const std::vector<FloatInit> three(3, init::Zeros{});
  const auto plan = Plan<Params>::of_array(three);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().text, "[plan] found 3 initializers, expected 4");
  EXPECT_TRUE(Plan<Params>::of_array(std::vector<FloatInit>(4, init::Zeros{})));
}

TEST(Plan, SaysWhichInitializerIsNotValid) {
  Plan<Params> plan = default_plan<Mlp>(0);
  plan.set("fc2.bias"_p, init::flat({1, 2}));
  const auto valid = plan.validate();
  ASSERT_FALSE(valid);
  EXPECT_EQ(valid.error().text, "[plan] parameter 3 fc2.bias (3): [init] flat: found 2 values, expected 3");
}

TEST(DefaultPlan, DrawsOneSeedForEachInitializer) {
  const auto plan = default_plan<Mlp>(7);
  const auto& inits = plan.to_array();
  EXPECT_EQ(inits[0], FloatInit(init::KaimingUniform{2, random::next_seed(7, 0)}));
  EXPECT_EQ(inits[1], FloatInit(init::Zeros{}));
  EXPECT_EQ(inits[2], FloatInit(init::KaimingUniform{16, random::next_seed(7, 2)}));
}

TEST(DefaultPlan, FollowsLayersAndShapes) {
  struct Other {
    Tensor<4> gain;
    std::array<Mlp, 2> parts;
    State<4> seen;
    Tensor<5, 4, 2> kernel;
  };
  const auto plan = default_plan<Other>(1);
  const auto& inits = plan.to_array();
  ASSERT_EQ(inits.size(), 10U);
  EXPECT_EQ(inits[0], FloatInit(init::Zeros{}));
  EXPECT_EQ(inits[7], FloatInit(init::KaimingUniform{16, random::next_seed(1, 7)}));
  EXPECT_EQ(inits[9], FloatInit(init::KaimingUniform{8, random::next_seed(1, 9)}));
  EXPECT_EQ(plain_plan<ParamsOf<Other>>(1).to_array(), inits);
}

}  // namespace
}  // namespace tenon
