#include <gtest/gtest.h>

#include <limits>

#include "leaf.h"
#include "tenon/attributes_text.h"
#include "tenon/ops.h"

namespace tenon {
namespace {

/// The error of a text that is refused.
Error refusal(std::string_view text) {
  const auto graph = parse_graph(text);
  if (graph) ADD_FAILURE() << "accepted:\n" << text;
  return graph ? Error{} : graph.error();
}

void expect_same(const Graph& a, const Graph& b) {
  EXPECT_TRUE(std::ranges::equal(a.types(), b.types()));
  ASSERT_EQ(a.nodes().size(), b.nodes().size());
  for (std::size_t i = 0; i < a.nodes().size(); ++i) {
    EXPECT_EQ(a.nodes()[i].op, b.nodes()[i].op);
    EXPECT_TRUE(std::ranges::equal(a.nodes()[i].operands(), b.nodes()[i].operands()));
    EXPECT_EQ(a.nodes()[i].output, b.nodes()[i].output);
    EXPECT_EQ(to_string(a.nodes()[i].attributes), to_string(b.nodes()[i].attributes));
  }
  ASSERT_EQ(a.state_updates().size(), b.state_updates().size());
  for (std::size_t i = 0; i < a.state_updates().size(); ++i) {
    EXPECT_EQ(a.state_updates()[i].state, b.state_updates()[i].state);
    EXPECT_EQ(a.state_updates()[i].value, b.state_updates()[i].value);
  }
}

void expect_round_trip(const Graph& graph) {
  ASSERT_TRUE(graph.status()) << graph.status().error().text;
  const std::string text = to_string(graph);
  const auto parsed = parse_graph(text);
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  expect_same(*parsed, graph);
  EXPECT_EQ(to_string(*parsed), text);
}

TEST(GraphText, ReadsBackWhatAGraphPrints) {
  Graph graph;
  const Value x = real(graph, {32, 64}), weight = real(graph, {10, 64}), bias = real(graph, Shape{10});
  const Value label = graph.leaf({Kind::natural, Shape{32}});
  const Value mean = real(graph, Shape{10});
  const Value logits = linear(x, weight, bias);
  cross_entropy(logits, label);
  const Value sum = reduce_sum(permute(logits, Order{{-1, 0}}), Axes{Shape{-1}});
  adam(sum, sum, sum, sum, Moments{.decay = 0.01});
  graph.update_state(mean, scale(sum, Factor{1.0 / 32}));
  graph.update_state(mean, sum);
  expect_round_trip(graph);
}

TEST(GraphText, KeepsTheShapesOfEachCotangent) {
  Graph graph;
  const Value x = real(graph, {32, 64}), weight = real(graph, {10, 64}), bias = real(graph, Shape{10});
  const Value y = linear(x, weight, bias);
  const std::array operands{x, weight, bias, y, y};
  const Value first = graph.record(vjp_of(Op::linear), operands, {});
  reduce_sum(Recorder::output(first, 1));
  expect_round_trip(graph);
  EXPECT_NE(to_string(graph).find(
                "%4, %5, %6 = linear.vjp(%0, %1, %2, %3, %3) : (32, 64), (10, 64), (10)\n%7 = reduce_sum(%5)"),
            std::string::npos)
      << to_string(graph);
}

TEST(GraphText, KeepsEveryDouble) {
  Graph graph;
  const Value x = real(graph, Shape{3});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double factor : {0.1, 1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, infinity, -infinity,
                              std::numeric_limits<double>::quiet_NaN()})
    scale(x, Factor{factor});
  fill(graph, Constant{{2, 3}, -infinity});
  expect_round_trip(graph);
}

TEST(GraphText, KeepsUnknownExtents) {
  Graph graph;
  const Value x = real(graph, {batch, 4, dyn});
  reshape(relu(x), Target{{batch, dyn}});
  expect_round_trip(graph);
  EXPECT_NE(to_string(graph).find("%2 = reshape(%1) {shape=(batch, dyn)} : (batch, dyn)"), std::string::npos)
      << to_string(graph);
}

TEST(GraphText, EveryOperationWithDefaultAttributesReadsBack) {
  for (const OpSpec& row : all_ops()) {
    const auto parsed = parse_attributes(row, to_string(row.defaults));
    ASSERT_TRUE(parsed) << row.name << ": " << parsed.error().text;
    EXPECT_EQ(*parsed, row.defaults) << row.name;
  }
}

TEST(GraphText, TakesNamesForLabelsCommentsAndNoTypes) {
  const auto graph = parse_graph(
      "\xEF\xBB\xBF# a comment\r\n"
      "%x = leaf() : (2, 3)\r\n"
      "\n"
      "  %hidden=relu( %x )  # no type\n"
      "%y = add(%hidden, %x) : (2, 3)");
  ASSERT_TRUE(graph) << graph.error().text;
  EXPECT_EQ(to_string(*graph), "%0 = leaf() : (2, 3)\n%1 = relu(%0) : (2, 3)\n%2 = add(%1, %0) : (2, 3)\n");
}

TEST(GraphText, RecordsTheBroadcastThatALineLeavesOut) {
  const auto graph = parse_graph("%0 = leaf() : (2, 3)\n%1 = leaf() : (3)\n%2 = add(%0, %1)\n%3 = neg(%2)\n");
  ASSERT_TRUE(graph) << graph.error().text;
  EXPECT_EQ(graph->nodes().size(), 3u);
  EXPECT_EQ(graph->nodes()[0].op, Op::broadcast);
}

struct Refused {
  std::string_view line;
  std::string_view text;
  std::string_view hint = {};
};

TEST(GraphText, RefusesWithLineAndWords) {
  const std::string start = "%0 = leaf() : (32, 64)\n\n%1 = leaf() : (10, 64)\n%2 = leaf() : (10)\n";
  for (const Refused& c : {
           Refused{"%3 = lineer(%0, %1, %2)", "unknown operation: found \"lineer\", expected the name of an operation",
                   "did you mean linear?"},
           Refused{"%3 = linear(%0, %1)", "operands of linear: found 2, expected 3"},
           Refused{"%3, %4 = neg(%0)", "results of neg: found 2, expected 1"},
           Refused{"%3 = neg(%0) : (32, 64), (32, 64)", "types of neg: found 2, expected 1"},
           Refused{"%3 = linear(%0, %1, %9)", "undefined value: found %9, expected one that an earlier line defines"},
           Refused{"%2 = neg(%0)", "repeated value: found %2 again, expected a name of its own for each result"},
           Refused{"%3 = linear(%0, %1, %2) : (32, 11)",
                   "type of %3: found (32, 11), expected (32, 10), which linear gives"},
           Refused{"%3 = linear(%0, %0, %2)",
                   "[linear] x (32, 64), weight (32, 64), bias (10): weight gives 32 features, bias has 10"},
           Refused{"%3 = reduce_sum(%0) {axs=(0)}",
                   "[reduce_sum] unknown attribute: found \"axs\", expected axes, keep_dims", "did you mean axes?"},
           Refused{"%3 = neg(%0) {axes=(0)}", "[neg] unknown attribute: found \"axes\", expected none"},
           Refused{"%3 = reduce_sum(%0) {axes=(0), axes=(1)}",
                   "[reduce_sum] repeated attribute: found \"axes\", expected each one once"},
           Refused{"%3 = reduce_sum(%0) {axes=(batch)}",
                   "[reduce_sum] attribute axes: found \"batch\", expected a whole number"},
           Refused{"%3 = reduce_sum(%0) {keep_dims=1}",
                   "[reduce_sum] attribute keep_dims: found \"1\", expected true or false"},
           Refused{"%3 = scale(%0) {factor=0x10}", "[scale] attribute factor: found \"0x10\", expected a number"},
           Refused{"%3 = reduce_sum(%0) {axes=(0)",
                   "[reduce_sum] after an attribute: found the end of the line, expected \",\""},
           Refused{"%3 = reshape(%0) {shape=(1,1,1,1,1,1,1,1,2048)}",
                   "[reshape] attribute shape: found \"2048\", expected at most 8 numbers"},
           Refused{"%3 = reshape(%0) {shape=(99999999999999999999)}",
                   "[reshape] attribute shape: found \"99999999999999999999\", expected an extent: a whole number, a "
                   "name of up to 12 small letters, or dyn"},
           Refused{"%3 = leaf() : (4611686018427387904)", "[graph] (4611686018427387904) is no shape of a tensor"},
           Refused{"%3 = leaf() : (2) (3)", "after this: found \"(3)\", expected the end of the line"},
           Refused{"%3 neg(%0)", "after a result: found \"neg\", expected \"=\""},
           Refused{"relu", "result: found \"relu\", expected a value such as %3"},
           Refused{"update_state(%0)", "update_state takes a state and its new value: found 1, expected 2"},
           Refused{"update_state(%0, %1)",
                   "[update_state] state (32, 64): found the new value (10, 64), expected the state's shape"},
       }) {
    const Error error = refusal(start + std::string(c.line) + "\n");
    EXPECT_EQ(error.text, "[graph] line 5: " + std::string(c.text) + "\n    " + std::string(c.line));
    EXPECT_EQ(error.hint, c.hint);
  }
}

TEST(GraphText, ALineMayStateLessThanItsRuleGivesButNotMore) {
  EXPECT_TRUE(parse_graph("%0 = leaf() : (3, 2)\n%1 = neg(%0) : (dyn, 2)\n"));
  EXPECT_EQ(refusal("%0 = leaf() : (dyn, 2)\n%1 = neg(%0) : (3, 2)\n").text,
            "[graph] line 2: type: found (3, 2), expected (dyn, 2), which is all that neg tells\n"
            "    %1 = neg(%0) : (3, 2)");
}

TEST(GraphText, SurvivesAbsurdInput) {
  std::string nested = "%0 = leaf() : ";
  nested.append(1000000, '(');
  EXPECT_LT(refusal(nested).text.size(), 600u);
  std::string wide = "%0 = leaf() : (1)\n%1 = add(%0";
  for (int i = 0; i < 300000; ++i) wide += ", %0";
  EXPECT_NE(refusal(wide + ")").text.find("operands of add: found 300001, expected 2"), std::string::npos);
  std::string noise;
  for (int i = 1; i < 20000; ++i) noise += static_cast<char>(i * 7919 % 255 + 1);
  refusal(noise);
  std::string many = "%0 = leaf() : (1)\n";
  for (int i = 0; i < 50000; ++i) many += "%" + std::to_string(i + 1) + " = neg(%" + std::to_string(i) + ") : (1)\n";
  const auto graph = parse_graph(many);
  ASSERT_TRUE(graph);
  EXPECT_EQ(to_string(*graph), many);
}

}  // namespace
}  // namespace tenon
