// K8, what ran where: --show-backend names each capsule once, when it first runs, and changes nothing. The design has
// no fall-back for single operations: a device that lacks one is refused before anything has run.
#include <cstdio>
#include <regex>
#include <set>

#include "scenario.h"
#include "tenon/program_text.h"
#include "tenon/runtime.h"
#include "unit/host/temp_folder.h"

namespace tenon::test {
namespace {

/// A line of the report.
struct Announced {
  std::string op, capsule, device, dtypes;
};

class K8 : public Scenario {
 protected:
  K8() { add_plugin("vendor"); }

  /// Three steps of M's kin that has parameters.
  std::vector<std::string> train(const std::string& device, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "8", "--steps", "3", "--device", device};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  Outcome succeed(const std::vector<std::string>& args) const {
    Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome;
  }

  /// Each line names operator, capsule, device, dtypes, and the plugin with version and file.
  static std::vector<Announced> announced(const std::string& err) {
    static const std::regex form(R"(capsule: (\w+) +(vendor\.exact\.\S+) on (\S+) \| float32 as (f32(?: u32)?) )"
                                 R"(\| plugin vendor 1\.0\.0 \(tenon_vendor\.so\) \| provider exact, .*)");
    std::vector<Announced> out;
    for (const std::string& line : lines_that_begin_with(err, "capsule: ")) {
      std::smatch part;
      EXPECT_TRUE(std::regex_match(line, part, form)) << line;
      if (!part.empty()) out.push_back({part[1], part[2], part[3], part[4]});
    }
    return out;
  }

  static std::set<std::string> operators(const std::vector<Announced>& all) {
    std::set<std::string> out;
    for (const Announced& one : all) out.insert(one.op);
    return out;
  }

  /// The operators that `tenon explain` finds in the model, its loss and its gradient.
  std::set<std::string> explained() const {
    static const std::regex form(R"( +%\d+(?:, %\d+)* = (\w+)\(.*)");
    const Outcome outcome = succeed({"explain", "mlp", "--data", data_, "--hidden", "8", "--device", "vendor"});
    std::set<std::string> out;
    for (const std::string& line : lines(outcome.out)) {
      std::smatch part;
      if (std::regex_match(line, part, form)) out.insert(part[1]);
    }
    return out;
  }

  const std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(K8, WatchingChangesNeitherResultsNorWhatIsSaved) {
  const std::string s1 = place_ / "s1", s2 = place_ / "s2";
  const Outcome watched = succeed(train("vendor", {"--show-backend", "--save", s1}));
  const Outcome unwatched = succeed(train("vendor", {"--save", s2}));
  EXPECT_NE(watched.out, "");
  EXPECT_EQ(watched.out, unwatched.out);
  EXPECT_NE(read_file(s1), "");
  EXPECT_EQ(read_file(s1), read_file(s2));
  EXPECT_EQ(count(unwatched.err, "capsule: "), 0u);
}

TEST_F(K8, EachCapsuleIsNamedOnceAndTheOperatorsAreThoseOfTheWholeTraining) {
  const std::vector<Announced> all = announced(succeed(train("vendor", {"--show-backend"})).err);
  std::set<std::string> capsules;
  for (const Announced& one : all) {
    EXPECT_TRUE(capsules.insert(one.capsule).second) << one.capsule;
    EXPECT_EQ(one.dtypes, one.op.starts_with("cross_entropy") ? "f32 u32" : "f32") << one.op;
  }
  std::set<std::string> expected = explained();
  EXPECT_TRUE(expected.contains("softmax") && expected.contains("relu_grad"));  // of forward, of the gradient
  for (const char* op : {"init_uniform", "fill", "adam"}) expected.insert(op);  // initialisation, update
  EXPECT_EQ(operators(all), expected);
}

TEST_F(K8, TheReportNamesThePluginsFileAndADeviceThatCanBeAskedFor) {
  const Outcome outcome = succeed(train("vendor", {"--show-backend"}));
  expect_words(outcome.err, {"session: plugin vendor 1.0.0 (" + (vendors_ / "tenon_vendor.so").string() + ")"});
  const std::vector<Announced> all = announced(outcome.err);
  ASSERT_FALSE(all.empty());
  for (const Announced& one : all) EXPECT_EQ(one.device, all[0].device);  // nothing ran elsewhere
  EXPECT_EQ(succeed(train(all[0].device)).out, outcome.out);
}

TEST_F(K8, TheLastLineSumsUpCapsulesAndCallsOfTheDevice) {
  const Outcome outcome = succeed(train("vendor", {"--show-backend", "--trace", place_ / "trace.json"}));
  const std::vector<Announced> all = announced(outcome.err);
  std::size_t calls = 0;
  for (const Announced& one : all) calls += count(read_file(place_ / "trace.json"), "\"" + one.capsule + "\"");
  EXPECT_GT(calls, all.size());
  EXPECT_EQ(lines(outcome.err).back(),
            "calls: " + std::to_string(calls) + " of " + std::to_string(all.size()) + " capsules on " + all[0].device);
}

TEST_F(K8, ARunOfTheModelNamesItsFourOperators) {
  const std::vector<Announced> all = announced(expect_success("vendor", {"--show-backend"}).err);
  EXPECT_EQ(operators(all), (std::set<std::string>{"fill", "matmul", "add", "relu"}));
  EXPECT_EQ(all.size(), 4u);  // though fill runs three times, matmul twice
}

TEST_F(K8, WhatTheDeviceLacksIsNotComputedElsewhere) {
  const std::string roots = place_.write("roots.tenon",
                                         "tenon program 1\n%x = input x : (rows, 3)\nforward\n  %y = relu(%x)\n"
                                         "  %z = sqrt(%y)\n  return %z\n");
  const auto run = [&](const char* device) -> std::vector<std::string> {
    return {"run", roots, "--input", input_, "--output", output_, "--device", device, "--show-backend"};
  };
  const std::string err = expect_failure(place_, run("vendor"));
  expect_words(err, {"sqrt", "vendor:0", "reason: NO_CAPSULE"});
  EXPECT_EQ(count(err, "capsule: "), 0u);  // not even relu ran
  expect_words(succeed(run("cpu")).err, {"capsule: sqrt ", " on cpu:0 | "});
}

/// A stream whose text can be looked at while it grows.
class GrowingText {
 public:
  GrowingText() : file_(::open_memstream(&text_, &size_)) {}
  ~GrowingText() {
    std::fclose(file_);
    std::free(text_);
  }
  GrowingText(const GrowingText&) = delete;

  std::FILE* file() const { return file_; }
  std::string read() const {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

/// Counts how often each capsule runs, and looks into the report as soon as one has run once.
class Onlooker final : public RunObserver {
 public:
  explicit Onlooker(const GrowingText& report) : report_(report) {}
  bool needs_times() const override { return false; }
  void first_launch(const Kernel& kernel, std::uint32_t) override {
    capsules.emplace_back(kernel.choice().capsule->name);
  }
  void launched(std::uint32_t kernel, TimeSpan) override {
    const std::string& capsule = capsules.at(kernel);
    if (++calls[capsule] > 1) return;
    EXPECT_EQ(count(report_.read(), " " + capsule + " on acme/vendor:0 "), 1u);
  }

  std::vector<std::string> capsules;  // by the kernel's number
  std::map<std::string, std::size_t> calls;

 private:
  const GrowingText& report_;
};

/// M with its matrices as parameters, and a loss.
Program trainable_model() {
  const std::string scores =
      "  %bias = fill() {shape=(batch, 4), value=-1}\n"
      "  %products = matmul(%x, %first)\n"
      "  %sums = add(%products, %bias)\n"
      "  %hidden = relu(%sums)\n"
      "  %scores = matmul(%hidden, %second)\n";
  const std::string text =
      "tenon program 1\n"
      "%first = parameter first : (3, 4)\n"
      "%second = parameter second : (4, 2)\n"
      "%x = input x : (batch, 3)\n"
      "%label = natural label : (batch)\n"
      "forward\n" +
      scores + "  return %scores\nloss\n" + scores + "  %loss = cross_entropy(%scores, %label)\n  return %loss\n";
  const auto program = parse_program(text, "m.tenon");
  EXPECT_TRUE(program) << to_string(program.error());
  return *program;
}

/// Three steps and an evaluation.
void train_model(Session& session) {
  const std::vector<double> x{1, 2, 3, -1, 0, 1}, first(12, 0.5), second(8, 0.25);
  const std::vector<std::uint32_t> labels{0, 1};
  ASSERT_TRUE(session.initialise(std::vector<InitialValue>{first, second}));
  auto optimizer = session.init_optim({Op::sgd, NoAttributes{}});
  ASSERT_TRUE(optimizer) << to_string(optimizer.error());
  for (int step = 0; step < 3; ++step) {
    const auto loss = session.train_step({2, {x}, {labels}}, *optimizer, 0.1);
    ASSERT_TRUE(loss) << to_string(loss.error());
  }
  ASSERT_TRUE(session.evaluate({2, {x}, {}}));
}

TEST_F(K8, ACapsuleIsNamedBeforeItRunsForTheSecondTime) {
  const Variable cache("XDG_CACHE_HOME", place_ / ".cache");
  auto runtime = open_runtime(Options{.device = "vendor", .plugins = {vendors_ / "vendor.tenon.json"}});
  ASSERT_TRUE(runtime) << to_string(runtime.error());
  const GrowingText text;
  LaunchReport report(ReportForm::text, text.file());
  Onlooker onlooker(text);
  Watch watch(runtime->registry.device(), {&report, &onlooker});
  SessionFacts facts;
  facts.device = runtime->registry.device()->name();
  watch.session(facts);
  SessionOptions options = runtime->session_options(GradientMode::training);
  options.watch = &watch;
  auto session = Session::create(runtime->registry, trainable_model(), options);
  ASSERT_TRUE(session) << to_string(session.error());
  train_model(*session);
  std::size_t calls = 0;
  for (const auto& [capsule, times] : onlooker.calls) {
    EXPECT_EQ(count(text.read(), " " + capsule + " on "), 1u) << capsule;
    calls += times;
  }
  EXPECT_GE(onlooker.calls.at("vendor.exact.matmul.f32"), 8u);
  report.summary();
  expect_words(text.read(), {"calls: " + std::to_string(calls) + " of " + std::to_string(onlooker.calls.size()) +
                             " capsules on acme/vendor:0\n"});
}

}  // namespace
}  // namespace tenon::test
