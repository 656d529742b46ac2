// Programs that stand in files: `tenon run FILE.tenon`.
#include <cstring>

#include "failures.h"
#include "tenon/program_text.h"
#include "tenon/safetensors.h"

namespace tenon::test {
namespace {

const std::string examples = TENON_TEST_SOURCE_DIR "/examples/programs/";

template <class T>
NamedTensor tensor(const std::string& name, DType dtype, const Shape& shape, std::vector<T> values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {name, dtype, shape, {bytes.begin(), bytes.end()}};
}

NamedTensor f32(const std::string& name, const Shape& shape, std::vector<float> values) {
  return tensor(name, DType::f32, shape, std::move(values));
}
NamedTensor f64(const std::string& name, const Shape& shape, std::vector<double> values) {
  return tensor(name, DType::f64, shape, std::move(values));
}

class ProgramFile : public testing::Test {
 protected:
  std::string write(const std::string& name, std::vector<NamedTensor> tensors) {
    const std::string file = place_ / name;
    const auto written = write_safetensors(file, {{}, std::move(tensors)});
    EXPECT_TRUE(written);
    return file;
  }
  std::string program(const std::string& body) { return place_.write("p.tenon", "tenon program 1\n" + body); }

  std::vector<std::string> run(std::vector<std::string> args) {
    args.insert(args.begin(), "run");
    return args;
  }
  void expect_success(const std::vector<std::string>& args, const std::string& out) {
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, out);
  }
  std::vector<double> values(const std::string& file, const Shape& shape) {
    const auto read = read_safetensors(file);
    if (!read || read->find("output") == nullptr || read->find("output")->shape != shape) {
      ADD_FAILURE() << file;
      return {};
    }
    const NamedTensor& t = *read->find("output");
    std::vector<double> out;
    for (std::size_t i = 0; i < t.bytes.size(); i += size_bytes(t.dtype)) {
      float narrow = 0;
      double wide = 0;
      std::memcpy(&narrow, t.bytes.data() + i, sizeof narrow);
      if (t.dtype == DType::f64) std::memcpy(&wide, t.bytes.data() + i, sizeof wide);
      out.push_back(t.dtype == DType::f64 ? wide : double{narrow});
    }
    return out;
  }

  Workplace place_;
  const std::string affine_ =
      "%w = parameter w : (2, 3)\n%b = parameter b : (2)\n%s = state s : (2) = 0.5\n%x = input x : (batch, n, 3)\n"
      "forward\n  %y = linear(%x, %w, %b)\n  %z = add(%y, %s) : (batch, n, 2)\n  return %z\n";
  const std::string weights_ =
      write("w.safetensors", {f32("w", {2, 3}, {1, 0, 0, 0, 1, 1}), f32("b", Shape(2), {10, 20}),
                              f32("s", Shape(2), {0, 1}), f64("label.scale", Shape(1), {1})});
};

TEST_F(ProgramFile, RunsOnTensorsOfAnyRank) {
  const std::string x = write("x.safetensors", {f64("x", {1, 2, 3}, {1, 2, 3, 4, 5, 6})}),
                    out = place_ / "y.safetensors";
  expect_success(run({program(affine_), "--load", weights_, "--input", x, "--output", out}), "output (1, 2, 2)\n");
  EXPECT_EQ(values(out, {1, 2, 2}), (std::vector<double>{11, 26, 14, 32}));
}

TEST_F(ProgramFile, WidensItsParametersForAWiderDtype) {
  const std::string x = write("x.safetensors", {f32("x", {2, 1, 3}, {1, 2, 3, 4, 5, 6})}),
                    out = place_ / "y.safetensors";
  const Outcome outcome =
      place_.tenon(run({program(affine_), "--load", weights_, "--input", x, "--output", out, "--dtype", "float"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("widened to f64"), std::string::npos) << outcome.err;
  EXPECT_EQ(values(out, {2, 1, 2}), (std::vector<double>{11, 26, 14, 32}));
}

TEST_F(ProgramFile, StatesHaveTheirInitialValuesWithoutAFile) {
  const std::string file =
      program("%s = state s : (2) = 0.5\n%x = input x : (batch, 2)\nforward\n  %y = add(%x, %s)\n  return %y\n");
  const std::string x = place_.write("x.csv", "a,b\n1,2\n3,4\n"), out = place_ / "y.csv";
  expect_success(run({file, "--input", x, "--output", out}), "output (2, 2)\n");
  EXPECT_EQ(read_file(out), "output0,output1\n1.5,2.5\n3.5,4.5\n");
}

TEST_F(ProgramFile, TakesNaturalNumbers) {
  const std::string file = program(
      "%x = input x : (batch, 2)\n%n = natural n : (batch)\nforward\n  %y = cross_entropy(%x, %n)\n  return %y\n");
  const std::string x =
      write("x.safetensors", {f32("x", {1, 2}, {0, 0}), tensor<std::uint32_t>("n", DType::u32, Shape(1), {1})});
  const std::string out = place_ / "y.csv";
  expect_success(run({file, "--input", x, "--output", out, "--dtype", "float"}), "output ()\n");
  EXPECT_EQ(read_file(out), "output\n0.6931471805599453\n");
}

TEST_F(ProgramFile, IsRefusedWholeWhereSomethingDoesNotFit) {
  const std::string good = program(affine_), out = place_.write("y.safetensors", "known content");
  const std::string x = write("x.safetensors", {f32("x", {1, 2, 3}, {1, 2, 3, 4, 5, 6})});
  const auto failure = [&](std::vector<std::string> args) {
    args.insert(args.end(), {"--output", out});
    return expect_failure(place_, run(std::move(args)));
  };
  const auto expect_words = [](const std::string& err, const std::string& words) {
    EXPECT_NE(err.find(words), std::string::npos) << err;
  };
  expect_words(expect_misuse(place_, run({good, "--input", x, "--output", out})),
               "--load: missing, expected a safetensors file with the program's parameters: w (2, 3), b (2)");
  expect_words(failure({good, "--load", x, "--input", x}), "missing w: the program has f32 (2, 3)");
  expect_words(failure({good, "--load", x, "--input", x}), "extra x: the file has f32 (1, 2, 3)");
  expect_words(failure({good, "--load", weights_, "--input", weights_}), "missing x, extra w, extra b");
  const std::string narrow = write("n.safetensors", {f32("x", {1, 3}, {1, 2, 3})});
  expect_words(failure({good, "--load", weights_, "--input", narrow}),
               "input x: found f32 (1, 3), expected f32 or f64 (batch, n, 3)");
  const std::string table = place_.write("x.csv", "1,2,3\n");
  expect_words(failure({good, "--load", weights_, "--input", table}), "a CSV file holds one matrix");
  expect_words(failure({place_ / "no.tenon", "--input", x}), "FILE_NOT_FOUND");
  expect_words(failure({program("forward\n  %1 = relu(%0)\n"), "--input", x}), "p.tenon line 3: undefined value");
  expect_words(expect_misuse(place_, run({good, "more", "--input", x, "--output", out})), "unexpected argument");
  expect_words(
      expect_misuse(place_, run({program(affine_), "--load", weights_, "--input", x, "--output", place_ / "y.csv"})),
      "a table, for a result (1, 2, 2)");
}

TEST_F(ProgramFile, NamesTheLineThatRealExtentsDoNotFit) {
  const std::string file =
      program("%x = input x : (dyn, 2)\n%y = input y : (dyn, 2)\nforward\n  %z = add(%x, %y)\n  return %z\n");
  const std::string x = write("x.safetensors", {f32("x", {2, 2}, {1, 2, 3, 4}), f32("y", {3, 2}, {1, 2, 3, 4, 5, 6})});
  const std::string err = expect_failure(place_, run({file, "--input", x, "--output", place_ / "y.csv"}));
  EXPECT_NE(err.find("p.tenon line 5: [add] left (2, 2), right (3, 2): extents 2 and 3 at axis -2 do not broadcast"),
            std::string::npos)
      << err;
}

/// A terminal would obey them.
TEST_F(ProgramFile, HasNoControlCharactersInNames) {
  const std::string file = program("%x = input \"a\x1b[31mb\" : (2)\nforward\n  return %x\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"explain", file}, {"graph", file, "--dot", place_ / "a.dot"}}) {
    const std::string err = expect_failure(place_, command);
    EXPECT_NE(err.find("p.tenon line 2: quoted name: found the control character U+001B in column 14, expected none\n"
                       "    %x = input \"a?[31mb\" : (2)\n"),
              std::string::npos)
        << err;
    EXPECT_EQ(count(err, "\x1b"), 0u) << err;
  }
}

TEST(TextForm, PageShowsTheExampleThatIsRead) {
  std::string shown;
  for (const std::string& line : lines(read_file(examples + "weighted_sum.tenon")))
    shown += line.empty() ? "\n" : "    " + line + "\n";
  const std::string page = read_file(TENON_TEST_SOURCE_DIR "/docs/text-form.md");
  EXPECT_NE(page.find(shown), std::string::npos);
  EXPECT_TRUE(read_program(examples + "weighted_sum.tenon"));
}

}  // namespace
}  // namespace tenon::test
