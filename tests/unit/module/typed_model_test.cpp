#include <gtest/gtest.h>

#include "tenon/dropout.h"
#include "tenon/graph.h"
#include "tenon/to_program.h"

namespace tenon {
namespace {

struct Block {
  Linear<4, 4> fc;
  StateOf<Shape{4}, 1> scale_seen;
  State<4> mean_seen;

  auto operator()(Tensor<batch, 4> x) const {
    update(mean_seen, reduce_mean<0>(x));
    return relu(fc(x)) * scale_seen + mean_seen;
  }
};

struct Net {
  Linear<2, 4> first;
  std::array<Block, 2> blocks;
  Tensor<3, 4> head;
  Tensor<> temperature;

  auto forward(Tensor<batch, 2> x) const {
    Tensor<batch, 4> h = first(x);
    for (const Block& block : blocks) h = block(h);
    return matmul(h, permute<1, 0>(head)) * temperature;
  }
  auto loss(Naturals<batch> label, const Tensor<batch, 2>& x, Tensor<batch, 3> offset) const {
    return cross_entropy(forward(x) + offset, label);
  }
};

template <class L>
std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Param& p : L::list) names.emplace_back(p.name.view());
  return names;
}

using Words = std::vector<std::string>;

/// Records a program over leaves of its own parameters and states, for a batch of two rows.
std::string recorded(const Program& p, const std::function<Value(const ProgramArguments&)>& program) {
  Graph graph;
  std::vector<Value> parameters, states, reals, naturals;
  for (const ParameterSpec& parameter : p.parameters) parameters.push_back(graph.leaf({Kind::real, parameter.shape}));
  for (const StateSpec& state : p.states) states.push_back(graph.leaf({Kind::real, state.shape}));
  for (const InputSpec& input : p.inputs) {
    Shape shape = input.shape;
    std::ranges::replace(shape.extents(), batch, Extent{2});
    (input.kind == Kind::real ? reals : naturals).push_back(graph.leaf({input.kind, shape}));
  }
  program({graph, parameters, reals, naturals, states});
  EXPECT_TRUE(graph.status()) << graph.status().error().text;
  return to_string(graph);
}

TEST(TypedModel, NamesItsParametersByItsMembers) {
  EXPECT_EQ(names<ParamsOf<Net>>(), (Words{"first.weight", "first.bias", "blocks.0.fc.weight", "blocks.0.fc.bias",
                                           "blocks.1.fc.weight", "blocks.1.fc.bias", "head", "temperature"}));
  EXPECT_EQ(names<StatesOf<Net>>(),
            (Words{"blocks.0.scale_seen", "blocks.0.mean_seen", "blocks.1.scale_seen", "blocks.1.mean_seen"}));
  static_assert(ParamsOf<Net>::list[6].shape == Shape{3, 4} && ParamsOf<Net>::list[7].shape == Shape{});
  static_assert(StatesOf<Net>::initial == std::array{1.0, 0.0, 1.0, 0.0});
}

TEST(TypedModel, TakesItsInputsFromTheLoss) {
  static_assert(length<InputsOf<Net>> == 2 && length<NatInputsOf<Net>> == 1);
  static_assert(InputsOf<Net>::list[1].shape == Shape{batch, 3} && NatInputsOf<Net>::list[0].shape == Shape(batch));
  static_assert(define<Net>().output == Output{Shape{batch, 3}, 1, 0});
}

TEST(TypedModel, BecomesAProgram) {
  const Program p = to_program(define<Net>().freeze("blocks.0"_p), "net");
  EXPECT_EQ(p.name, "net");
  ASSERT_EQ(p.parameters.size(), 8U);
  EXPECT_EQ(p.parameters[2].name, "blocks.0.fc.weight");
  EXPECT_EQ(p.parameters[2].shape, (Shape{4, 4}));
  EXPECT_TRUE(p.parameters[1].requires_grad);
  EXPECT_FALSE(p.parameters[2].requires_grad || p.parameters[3].requires_grad);
  EXPECT_TRUE(p.parameters[4].requires_grad);
  ASSERT_EQ(p.states.size(), 4U);
  EXPECT_EQ(p.states[2].name, "blocks.1.scale_seen");
  EXPECT_EQ(p.states[2].initial, 1);
  ASSERT_EQ(p.inputs.size(), 3U);
  EXPECT_EQ(p.inputs[0].name, "input0");
  EXPECT_EQ(p.inputs[1].shape, (Shape{batch, 3}));
  EXPECT_EQ(p.inputs[2].name, "natural0");
  EXPECT_EQ(p.inputs[2].kind, Kind::natural);
  EXPECT_EQ(p.forward_reals, 1U);
  EXPECT_EQ(p.forward_naturals, 0U);
}

TEST(TypedModel, RecordsWhatValuesRecord) {
  const auto forward = [](const ProgramArguments& a) {
    Value h = linear(a.reals[0], a.parameters[0], a.parameters[1]);
    for (std::size_t block = 0; block < 2; ++block) {
      const Value scale_seen = a.states[2 * block], mean_seen = a.states[2 * block + 1];
      a.recorder.update_state(mean_seen, reduce_mean(h, Axes{Shape{0}}));
      const Value y = relu(linear(h, a.parameters[2 + 2 * block], a.parameters[3 + 2 * block]));
      h = add(mul(y, scale_seen), mean_seen);
    }
    return mul(matmul(h, permute(a.parameters[6], Order{Shape{1, 0}})), a.parameters[7]);
  };
  const auto loss = [&](const ProgramArguments& a) {
    return cross_entropy(add(forward(a), a.reals[1]), a.naturals[0]);
  };
  const Program p = to_program(define<Net>(), "net");
  EXPECT_EQ(recorded(p, p.forward), recorded(p, forward));
  EXPECT_EQ(recorded(p, p.loss), recorded(p, loss));
}

using Params = Shapes<param("w", 10, 6), param("b", 10)>;
using Inputs = Shapes<param("x", batch, 6)>;
using NatInputs = Shapes<param("y", batch)>;

TEST(PositionalModule, RecordsWhatValuesRecord) {
  constexpr auto def = define<Params, Inputs, NatInputs>(
      [](auto w, auto b, auto x) { return linear(x, w, b); },
      [](auto w, auto b, auto x, auto y) { return cross_entropy(linear(x, w, b), y); });
  static_assert(def.output == Output{Shape{batch, 10}, 1, 0});
  const Program p = to_program(def, "positional");
  EXPECT_EQ(p.parameters[1].name, "b");
  EXPECT_EQ(p.inputs[0].name, "x");
  EXPECT_EQ(p.inputs[1].name, "y");
  EXPECT_EQ(recorded(p, p.forward), recorded(p, [](const ProgramArguments& a) {
              return linear(a.reals[0], a.parameters[0], a.parameters[1]);
            }));
  EXPECT_EQ(recorded(p, p.loss), recorded(p, [](const ProgramArguments& a) {
              return cross_entropy(linear(a.reals[0], a.parameters[0], a.parameters[1]), a.naturals[0]);
            }));
}

TEST(PositionalModule, TakesStatesAndNamesWhatHasNone) {
  constexpr auto def = define<Shapes<Shape{3, 4}, Shape{3}>, Shapes<Shape{batch, 4}>, Shapes<>, Shapes<Shape{3}>>(
      [](auto w, auto b, auto mean, auto x) { return linear(x, w, b) - mean; },
      [](auto w, auto b, auto mean, auto x) {
        const auto y = linear(x, w, b);
        update(mean, reduce_mean<0>(y));
        return reduce_sum(y);
      });
  const Program p = to_program(def, "p");
  EXPECT_EQ(p.parameters[0].name, "param0");
  EXPECT_EQ(p.parameters[1].name, "param1");
  EXPECT_EQ(p.states[0].name, "state0");
  EXPECT_EQ(p.inputs[0].name, "input0");
  EXPECT_EQ(recorded(p, p.loss),
            "%0 = leaf() : (3, 4)\n%1 = leaf() : (3)\n%2 = leaf() : (3)\n%3 = leaf() : (2, 4)\n"
            "%4 = linear(%3, %0, %1) : (2, 3)\n%5 = reduce_mean(%4) {axes=(0)} : (3)\n%6 = reduce_sum(%4) : ()\n"
            "update_state(%2, %5)\n");
}

TEST(TypedNames, GoUpToSixteenMembersAndThroughPlainStructs) {
  struct Wide {
    Tensor<1> a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
    Tensor<2> last_one;
  };
  struct Nothing {};
  struct Outer {
    Nothing nothing;
    Wide wide;
  };
  static_assert(length<ParamsOf<Outer>> == 16);
  EXPECT_EQ(names<ParamsOf<Outer>>().back(), "wide.last_one");
}

TEST(TypedNames, AreFoundInAppendedLists) {
  using Both = Appended<Params, Inputs>;
  EXPECT_EQ(names<Both>(), (Words{"w", "b", "x"}));
  static_assert(detail::find_name(Both::list, "x") == 2 && detail::find_name(Both::list, "z") == 3);
  static_assert(same_shapes<Params, Shapes<Shape{10, 6}, Shape{10}>> && !same_shapes<Params, Both>);
}

}  // namespace
}  // namespace tenon
