// K5, operator errors without facts: whoever reads the message knows which operation it was, of which operands, where.
#include <deque>
#include <regex>

#include "scenario.h"
#include "tenon/runtime.h"

namespace tenon::test {
namespace {

class K5 : public Scenario {
 protected:
  std::string write_program(const std::string& body) const {
    return place_.write("p.tenon", "tenon program 1\n" + body);
  }

  std::vector<std::string> run(const std::string& program, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"run", program, "--input", input_, "--output", output_, "--device", "vendor"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  static void expect_match(const std::string& text, const std::string& pattern) {
    EXPECT_TRUE(std::regex_search(text, std::regex(pattern))) << pattern << "\nin\n" << text;
  }
};

TEST_F(K5, a_OfADtypeWithoutCapsuleBeforeAnyHasRun) {
  add_plugin("narrow_products");
  expect_success("vendor", {"--dtype", "float32"});
  fs::remove(output_);
  const std::string err = expect_failure(place_, run_model("vendor", {"--dtype", "float", "--show-backend"}));
  expect_no_words(err, {"capsule: "});
  expect_match(err, R"(\[session\] 2 operations have no admissible capsule on fakes/vendor:0\n)");
  const std::string where = R"( on fakes/vendor:0, evaluation:\n)", exists = R"(    late\.matmul\.f32: it takes other )"
                                                                             R"(dtypes \(f32 f32 f32\)\n)";
  expect_match(err, R"(  at %\d+: matmul\(left f64 \(2, 3\), right f64 \(3, 4\)\) -> f64 \(2, 4\))" + where + exists);
  expect_match(err, R"(  at %\d+: matmul\(left f64 \(2, 4\), right f64 \(4, 2\)\) -> f64 \(2, 2\))" + where + exists);
}

// A session has one device, and everything of it lies there: a program cannot even say otherwise.
TEST_F(K5, b_OfAnOperandOnAnotherDeviceInAProgramFile) {
  add_plugin("vendor");
  const std::string program = write_program(
      "%x = input x : (2, 3)\n%y = input y : (2, 3) on cpu\nforward\n  %sum = add(%x, %y)\n  return %sum\n");
  expect_match(
      expect_failure(place_, run(program, {"--show-backend"})),
      R"(p\.tenon line 3: after this: found "on", expected the end of the line\n    %y = input y : \(2, 3\) on cpu\n)");
}

/// A session whose device is opened with the plugins of the build.
class TwoSessions {
 public:
  Session open(const std::string& device, std::function<Value(const ProgramArguments&)> forward) {
    Options options;
    options.device = device;
    options.plugins = {TENON_TEST_BUILD_DIR "/test-plugins/vendor/vendor.tenon.json"};
    auto runtime = open_runtime(options);
    if (!runtime) throw std::runtime_error(to_string(runtime.error()));
    runtimes_.push_back(*std::move(runtime));
    const Program program{.name = "sum",
                          .parameters = {},
                          .inputs = {{"x", Kind::real, Shape{2, 3}}},
                          .forward_reals = 1,
                          .forward = std::move(forward),
                          .loss = {}};
    const DeviceRuntime& made = runtimes_.back();
    return *Session::create(made.registry, program, made.session_options(GradientMode::evaluation));
  }

 private:
  std::deque<DeviceRuntime> runtimes_;
};

TEST_F(K5, b_OfAnOperandOfAnotherSessionAndItsDevice) {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const Batch given{.rows = 2, .reals = {x}, .naturals = {}};
  TwoSessions both;
  Value kept;
  Session first = both.open("cpu", [&](const ProgramArguments& a) { return kept = relu(a.reals[0]); });
  Session second = both.open("vendor", [&](const ProgramArguments& a) { return add(a.reals[0], kept); });
  ASSERT_TRUE(first.evaluate(given));
  const auto refused = second.evaluate(given);
  ASSERT_FALSE(refused);
  expect_match(refused.error().text,
               R"(^\[add\] left \(2, 3\), right of another recording: .* another session, perhaps on another device,)");
  expect_match(refused.error().text, R"(while the program of sum was recorded on acme/vendor:0, real numbers as f32$)");
  EXPECT_TRUE(first.evaluate(given));
}

TEST_F(K5, c_OfOperandsThatDoNotFit) {
  add_plugin("vendor");
  const std::string program =
      write_program("%x = input x : (2, 3)\n%y = input y : (4, 5)\nforward\n  %z = matmul(%x, %y)\n  return %z\n");
  const std::string err = expect_failure(place_, run(program, {"--show-backend"}));
  expect_no_words(err, {"capsule: "});
  expect_match(err, R"(p\.tenon line 5: \[matmul\] left \(2, 3\), right \(4, 5\): inner extents 3 and 4 differ)");
  expect_match(err, R"(\n  in a run with --device vendor, real numbers as f32\n)");
}

TEST_F(K5, c_OfOperandsWhoseExtentsOnlyTheDataTell) {
  add_plugin("vendor");
  const std::string program = write_program(
      "%x = input x : (dyn, dyn)\nforward\n  %y = fill() {shape=(4, 5), value=1}\n"
      "  %z = matmul(%x, %y)\n  return %z\n");
  const std::string err = expect_failure(place_, run(program, {"--dtype", "float"}));
  expect_match(err, R"(p\.tenon line 5: \[matmul\] left \(2, 3\), right \(4, 5\): inner extents 3 and 4 differ)");
  expect_match(err, R"(\n  in a run with --device vendor, real numbers as float)");
}

}  // namespace
}  // namespace tenon::test
