#include "program_texts.h"
#include "tenon/autograd.h"
#include "tenon/ops.h"

namespace tenon {
namespace {

const std::string weighted_sum =
    "tenon program 1\n"
    "name weighted_sum\n"
    "%0 = parameter fc1.weight : (16, 2)\n"
    "%1 = frozen parameter fc1.bias : (16)\n"
    "%2 = state running_mean : (16) = 0.5\n"
    "%3 = input x : (batch, 2)\n"
    "%4 = input weights : (batch)\n"
    "%5 = natural label : (batch)\n"
    "forward\n"
    "  %6 = linear(%3, %0, %1) : (batch, 16)\n"
    "  %7 = fill() {shape=(batch, 16), value=0.25} : (batch, 16)\n"
    "  %8 = add(%6, %7) : (batch, 16)\n"
    "  return %8\n"
    "loss\n"
    "  %6 = linear(%3, %0, %1) : (batch, 16)\n"
    "  %7 = bernoulli_mask() {shape=(batch, 16), keep=0.9} : (batch, 16)\n"
    "  %8 = mul(%6, %7) : (batch, 16)\n"
    "  %9 = reshape(%4) {shape=(batch, 1)} : (batch, 1)\n"
    "  %10 = broadcast(%9) {shape=(batch, 16)} : (batch, 16)\n"
    "  %11 = mul(%8, %10) : (batch, 16)\n"
    "  %12 = cross_entropy(%11, %5) : ()\n"
    "  %13 = reduce_mean(%6) {axes=(0)} : (16)\n"
    "  update_state(%2, %13)\n"
    "  return %12\n";

TEST(ProgramText, ReadsDeclarationsInTheirLists) {
  const Program program = parsed(weighted_sum);
  EXPECT_EQ(program.name, "weighted_sum");
  ASSERT_EQ(program.parameters.size(), 2u);
  EXPECT_EQ(program.parameters[0].name, "fc1.weight");
  EXPECT_EQ(program.parameters[0].shape, (Shape{16, 2}));
  EXPECT_TRUE(program.parameters[0].requires_grad);
  EXPECT_FALSE(program.parameters[1].requires_grad);
  ASSERT_EQ(program.states.size(), 1u);
  EXPECT_EQ(program.states[0].initial, 0.5);
  ASSERT_EQ(program.inputs.size(), 3u);
  EXPECT_EQ(program.inputs[2].kind, Kind::natural);
  EXPECT_EQ(program.inputs[1].shape, Shape(batch));
  EXPECT_EQ(program.forward_reals, 1u);
  EXPECT_EQ(program.forward_naturals, 0u);
}

TEST(ProgramText, PrintsWhatItReads) { EXPECT_EQ(text_of(parsed(weighted_sum)), weighted_sum); }

TEST(ProgramText, RecordsForTheExtentsThatItIsGiven) {
  const Program program = parsed(weighted_sum);
  const std::vector<Shape> inputs{{4, 2}, Shape{4}, Shape{4}};
  Recorded forward;
  record(forward, program, false, inputs);
  ASSERT_TRUE(forward.graph.status()) << forward.graph.status().error().text;
  EXPECT_EQ(to_string(forward.graph),
            "%0 = leaf() : (16, 2)\n%1 = leaf() : (16)\n%2 = leaf() : (16)\n%3 = leaf() : (4, 2)\n%4 = leaf() : (4)\n"
            "%5 = leaf() : natural (4)\n"
            "%6 = linear(%3, %0, %1) : (4, 16)\n"
            "%7 = fill() {shape=(4, 16), value=0.25} : (4, 16)\n"
            "%8 = add(%6, %7) : (4, 16)\n");
  EXPECT_EQ(forward.result.id, 8u);
  Recorded loss;
  record(loss, program, true, inputs);
  ASSERT_TRUE(loss.graph.status()) << loss.graph.status().error().text;
  EXPECT_EQ(loss.graph.state_updates().size(), 1u);
  EXPECT_TRUE(differentiate(loss.result, std::span(loss.parameters).first(1)));
}

Program dropout() {
  const auto layer = [](const ProgramArguments& a) {
    const Value x = a.reals[0];
    const Value sum = add(linear(x, a.parameters[0], a.parameters[1]), a.parameters[1]);
    if (!a.recorder.training()) return sum;
    return mul(sum, bernoulli_mask(a.recorder, Keep{a.recorder.shape(sum), 0.5}));
  };
  return {.name = "drop out",
          .parameters = {{"w", {3, 2}}, {"b", Shape(3)}},
          .inputs = {{"x", Kind::real, {batch, 2}}, {"y", Kind::real, {batch, 3}}},
          .forward_reals = 1,
          .forward_naturals = 0,
          .forward = layer,
          .loss = [layer](const ProgramArguments& a) { return mse_loss(layer(a), a.reals[1]); },
          .states = {}};
}

TEST(ProgramText, PrintsAProgramOfFunctionsWithNamedExtents) {
  const std::string text = text_of(dropout());
  EXPECT_NE(text.find("name \"drop out\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("%5 = broadcast(%1) {shape=(batch, 3)} : (batch, 3)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("loss training\n"), std::string::npos) << text;
  EXPECT_EQ(text_of(parsed(text)), text);
}

TEST(ProgramText, RecordsTheTrainingLossOnlyForTraining) {
  const Program program = parsed(text_of(dropout()));
  const std::vector<Shape> inputs{{4, 2}, {4, 3}};
  for (const bool training : {false, true}) {
    Recorded ours, theirs;
    ours.graph.set_training(training);
    theirs.graph.set_training(training);
    record(ours, program, true, inputs);
    record(theirs, dropout(), true, inputs);
    EXPECT_EQ(to_string(ours.graph), to_string(theirs.graph));
    EXPECT_EQ(to_string(ours.graph).find("bernoulli_mask") != std::string::npos, training);
  }
}

TEST(ProgramText, PrintsNumbersWhereOperationsDependOnThem) {
  Program program = dropout();
  program.loss = {};
  program.forward = [](const ProgramArguments& a) {
    const Shape shape = a.recorder.shape(a.reals[0]);
    return scale(a.reals[0], Factor{1.0 / static_cast<double>(known_elements(shape))});
  };
  const std::vector<BoundExtent> eight{{batch, 8}};
  const auto text = to_text(program, eight);
  ASSERT_TRUE(text) << text.error().text;
  EXPECT_NE(text->find("%2 = input x : (8, 2)\n"), std::string::npos) << *text;
  EXPECT_NE(text->find("%4 = scale(%2) {factor=0.0625} : (8, 2)\n"), std::string::npos) << *text;
}

TEST(ProgramText, ReportsAProgramThatCannotBeRecorded) {
  Program program = dropout();
  program.forward = [](const ProgramArguments& a) { return add(a.reals[0], a.parameters[1]); };
  const auto text = to_text(program);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().text, "[add] left (2, 2), right (3): extents 2 and 3 at axis -1 do not broadcast");
}

TEST(ProgramText, AProgramWithoutForwardHasNoText) {
  Program program = dropout();
  program.forward = {};
  const auto text = to_text(program);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().reason, Reason::INVALID_ARGUMENT);
  EXPECT_EQ(text.error().text, "[session] program drop out: found no forward program, expected one to evaluate");
}

TEST(ProgramText, ChecksAnonymousExtentsWhenItIsRecorded) {
  const std::string text =
      "tenon program 1\n%x = input x : (dyn, 2)\n%y = input y : (rows, 2)\nforward\n"
      "  %z = add(%x, %y) : (rows, 2)\n  return %z\n";
  const Program program = parsed(text);
  Recorded fitting, other;
  record(fitting, program, false, std::vector<Shape>{{3, 2}, {3, 2}});
  EXPECT_TRUE(fitting.graph.status());
  record(other, program, false, std::vector<Shape>{{3, 2}, {1, 2}});
  ASSERT_FALSE(other.graph.status());
  EXPECT_EQ(other.graph.status().error().text,
            "[program] sum.tenon line 5: type of %z: found (1, 2), expected (3, 2), which add gives\n"
            "    %z = add(%x, %y) : (rows, 2)");
  Recorded refused;
  record(refused, program, false, std::vector<Shape>{{3, 2}, {4, 2}});
  EXPECT_EQ(refused.graph.status().error().text,
            "[program] sum.tenon line 5: [add] left (3, 2), right (4, 2): extents 3 and 4 at axis -2 do not "
            "broadcast\n    %z = add(%x, %y) : (rows, 2)");
}

TEST(ProgramText, RefusesInputsThatBindANameTwice) {
  const Program program = parsed(weighted_sum);
  Recorded out;
  record(out, program, true, std::vector<Shape>{{4, 2}, Shape{5}, Shape{4}});
  ASSERT_FALSE(out.graph.status());
  EXPECT_EQ(out.graph.status().error().text,
            "[program] sum.tenon line 7: extents: found (5), expected (4)\n    %4 = input weights : (batch)");
}

TEST(ProgramText, QuotesNamesThatAreNoWords) {
  const std::string text =
      "tenon program 1\nname \"a \\\"b\\\" # c\"\n%0 = input \"x\\ny\\\\\" : (2)\nforward\n  return %0\n";
  const Program program = parsed(text);
  EXPECT_EQ(program.name, "a \"b\" # c");
  EXPECT_EQ(program.inputs[0].name, "x\ny\\");
  EXPECT_EQ(text_of(program), text);
}

struct Refused {
  std::string_view text;  // after the first line
  std::string_view error;
};

TEST(ProgramText, RefusesWithFileLineAndWords) {
  for (const Refused& c : {
           Refused{"forward\n  return %0\n",
                   "3: undefined value: found %0, expected one that an earlier line defines\n    return %0"},
           Refused{"%0 = input x : (2)\n",
                   "2: missing section: found no \"forward\", expected one\n    %0 = input x : (2)"},
           Refused{"%0 = input x : (2)\nforward\n  %1 = neg(%0)\n",
                   "4: end of a section: found no \"return\" before it, expected one\n    %1 = neg(%0)"},
           Refused{"%0 = input x : (2)\nforward\n  %1 = tanh(%0)\n  %2 = tanh.vjp(%0, %1, %0)\n  return %2\n",
                   "5: operation: found tanh.vjp, which is part of a gradient, expected one of a program\n    %2 = "
                   "tanh.vjp(%0, %1, %0)"},
           Refused{"%0 = input x : (2)\n%1 = neg(%0)\n",
                   "3: operation: found it above the sections, expected it below \"forward\" or \"loss\"\n    %1 = "
                   "neg(%0)"},
           Refused{"%0 = parameter w : (batch)\n",
                   "2: extents: found (batch), expected whole numbers: only inputs have others\n    %0 = parameter w : "
                   "(batch)"},
           Refused{"%0 = parameter w : (2)\n%1 = state w : (2) = 0\n",
                   "3: repeated name: found w again, expected another\n    %1 = state w : (2) = 0"},
           Refused{"%0 = parameter w : (281474976710657)\n",
                   "2: extents: found (281474976710657), expected a size that fits memory\n    %0 = parameter w : "
                   "(281474976710657)"},
           Refused{"%0 = input y : (2)\n%1 = input x : (2)\nforward\n  return %1\nloss\n  %2 = mse_loss(%0, %1)\n  "
                   "return %2\n",
                   "2: order of inputs: found an input that only the loss uses before one that forward uses, expected "
                   "it after them\n    %0 = input y : (2)"},
           Refused{
               "%0 = input x : (2)\n%1 = input y : (rows)\nforward\n  %2 = fill() {shape=(rows)}\n  return %0\n",
               "5: unknown extent: found rows, expected the name of an extent of an input that forward uses\n    %2 "
               "= fill() {shape=(rows)}"},
           Refused{"%0 = input x : (2)\nforward takes (%1)\n",
                   "3: undefined value: found %1, expected one that an earlier line defines\n    forward takes (%1)"},
           Refused{"%0 = parameter w : (2)\nforward takes (%0)\n",
                   "3: forward takes: found %0, expected an input\n    forward takes (%0)"},
           Refused{"%0 = input x : (2)\n%1 = input y : (2)\nforward takes (%1)\n",
                   "4: forward takes: found %1 out of its place, expected the first inputs of each kind, in order\n"
                   "    forward takes (%1)"},
           Refused{"%0 = input x : (2)\nforward takes (%0, %0)\n",
                   "3: forward takes: found %0 out of its place, expected the first inputs of each kind, in order\n"
                   "    forward takes (%0, %0)"},
           Refused{"%0 = input x : (2)\n%1 = input y : (2)\nforward takes (%0)\n  %2 = add(%0, %1)\n",
                   "5: input: found %1, expected one that forward takes\n    %2 = add(%0, %1)"},
           Refused{"%0 = input x : (2)\nforward takes %0\n",
                   "3: operands: found \"%0\", expected \"(\"\n    forward takes %0"},
           Refused{"%0 = input x : (2)\nforward takes (%0) more\n",
                   "3: after this: found \"more\", expected the end of the line\n    forward takes (%0) more"},
           Refused{"%0 = state s : (2) = 0\nforward\n  update_state(%0)\n",
                   "4: update_state takes a state and its new value: found 1, expected 2\n    update_state(%0)"},
           Refused{"%0 = input x : (batch, 2)\nforward\n  %1 = neg(%0) : (32, 2)\n  return %1\n",
                   "4: type of %1: found (32, 2), expected (batch, 2), which neg gives\n    %1 = neg(%0) : (32, 2)"},
           Refused{"%0 = input x : (batch, 2)\nforward\n  return %0\nloss\n  return %0\n",
                   "6: loss: found (batch, 2), expected one element\n    return %0"},
           Refused{"%0 = natural x : (batch)\nforward\n  return %0\n",
                   "4: return: found natural numbers, expected real ones\n    return %0"},
           Refused{"%0 = input x : (2)\nforward\n  return %0\n  %1 = neg(%0)\n",
                   "5: operation: found it after \"return\", expected another section or nothing\n    %1 = neg(%0)"},
           Refused{"%0 = input x : (2)\nforward\n  update_state(%0, %0)\n",
                   "4: update_state: found %0 before the comma, expected a state\n    update_state(%0, %0)"},
           Refused{"%0 = input x : (2)\nforward\n  return %0\nforward\n",
                   "5: repeated section: found \"forward\" again, expected it once\n    forward"},
       }) {
    const auto program = parse_program("tenon program 1\n" + std::string(c.text), "sum.tenon");
    ASSERT_FALSE(program) << c.text;
    EXPECT_EQ(program.error().text, "[program] sum.tenon line " + std::string(c.error));
  }
  EXPECT_EQ(parse_program("tenon program 2\n", "a").error().text,
            "[program] a line 1: version of the text form: found \"2\", expected 1\n    tenon program 2");
  EXPECT_FALSE(parse_program("", "a"));
  EXPECT_FALSE(
      parse_program("\x7f"
                    "ELF",
                    "a"));
}

TEST(ProgramText, SurvivesEveryDamagedByte) {
  std::uint32_t random = 1;
  const auto draw = [&] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 3000; ++i) {
    std::string text = weighted_sum;
    for (int edits = 0; edits < 3; ++edits) {
      const std::size_t at = draw() % text.size();
      if (draw() % 3 == 0)
        text.erase(at, draw() % 40);
      else
        text[at] =
            static_cast<char>(draw() % 2 == 0 ? draw() % 256 : static_cast<unsigned char>(text[draw() % text.size()]));
    }
    const auto program = parse_program(text, "damaged");
    if (program) {
      text_of(*program);
      continue;
    }
    EXPECT_TRUE(program.error().text.starts_with("[program] damaged line ")) << program.error().text;
  }
}

}  // namespace
}  // namespace tenon
