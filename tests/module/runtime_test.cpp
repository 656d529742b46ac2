// From flags and options to modules: what is called with which scalar type, what is refused, and in which words.
#include <iterator>
#include <sstream>

#include "module/modules_on.h"
#include "tenon/worker_pool.h"
#include "unit/module/environment.h"

namespace tenon::test {
namespace {

class WithRuntime : public testing::TestWithParam<Where> {
 protected:
  /// The flags for where the test runs, and more.
  Args flags(const Args& more) const {
    Args all{"--device", GetParam().device, "--backend", std::string(name(GetParam().backend))};
    if (GetParam().device == "late") all.insert(all.end(), {"--plugin", late_manifest()});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Environment environment_;
};

template <class S>
std::string scalar_name() {
  return std::same_as<S, double> ? "double" : "float";
}

TEST_P(WithRuntime, TheDTypeChoosesTheScalarType) {
  const std::vector<std::pair<Args, std::string>> cases{
      {{}, "float"},
      {{"--dtype", "float"}, "double"},
      {{"--dtype", "float32"}, "float"},
      {{"--dtype", "float32:fast"}, "float"},
      {{"--float32-mode", "fast"}, "float"},
      {{"--float32-mode", "ieee754exec"}, "float"},
  };
  for (const auto& [args, expected] : cases) {
    std::string found;
    const auto done = with_runtime(flags(args), [&]<class S>(Runtime<S> runtime, const Args&) -> result<void> {
      found = scalar_name<S>();
      static_assert(std::same_as<typename Runtime<S>::Scalar, S>);
      TENON_TRY(auto net, runtime.instantiate(define<Mlp>(), mlp_plan()));
      const TypedRows<S> data(8);
      TENON_TRY(const S loss, net.step_with_loss(0.5, data.x, data.label));
      TENON_TRY(const S after, net.forward(data.x, data.label));
      EXPECT_LT(after, loss);
      EXPECT_EQ(net.core().program().name, "module");
      return {};
    });
    EXPECT_EQ(refusal(done), "accepted");
    EXPECT_EQ(found, expected);
    EXPECT_EQ(exit_status(done), 0);
  }
}

TEST_P(WithRuntime, RefusesWhatIsForReasoningAndDeclinesComplexNumbers) {
  int calls = 0;
  const auto refused = [&](const char* dtype) {
    const auto done = with_runtime(flags({"--dtype", dtype}), [&]<class S>(Runtime<S>, const Args&) -> result<void> {
      ++calls;
      return {};
    });
    EXPECT_EQ(exit_status(done), 1);
    return done ? Error() : done.error();
  };
  for (const char* dtype : {"real", "float32:fp32", "fp32", "complex:fp32"}) {
    const Error error = refused(dtype);
    EXPECT_EQ(error.reason, Reason::NOT_EXECUTABLE) << dtype;
    EXPECT_NE(error.text.find("not executable"), std::string::npos) << error.text;
  }
  const Error complex = refused("complex");
  EXPECT_EQ(complex.reason, Reason::NO_CAPSULE);
  EXPECT_NE(complex.text.find("takes complex numbers"), std::string::npos) << complex.text;
  EXPECT_EQ(calls, 0);
}

TEST_P(WithRuntime, KeepsTheOtherArgumentsInOrderAndItsOptions) {
  const Args args = flags({"one", "--seed", "7", "--data=x", "two", "--threads", "2", "--", "--device", "cpu"});
  const auto done = with_runtime(args, []<class S>(Runtime<S> runtime, Args rest) -> result<void> {
    EXPECT_EQ(rest, (Args{"one", "--data=x", "two", "--", "--device", "cpu"}));
    EXPECT_EQ(runtime.options().seed, 7u);
    EXPECT_EQ(runtime.options().threads, 2u);
    EXPECT_EQ(Runtime<S>::cast(0.1), static_cast<S>(0.1));
    return {};
  });
  EXPECT_EQ(refusal(done), "accepted");
}

TEST_P(WithRuntime, LogsTheConfigurationBeforeAnythingElse) {
  testing::internal::CaptureStderr();
  const auto done = with_runtime(flags({"--dtype", "float32:fast"}), []<class S>(Runtime<S>, Args) -> result<void> {
    std::fprintf(stderr, "called\n");
    return {};
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "dtype: float32:fast (binary32, any kernel)\nbackend: " + std::string(name(GetParam().backend)) +
                "\ndevice: " + GetParam().device + "\ncalled\n");
  EXPECT_TRUE(done);
}

TEST_P(WithRuntime, ModulesOfOneRuntimeShareTheDevice) {
  const auto done = with_runtime(flags({}), []<class S>(Runtime<S> runtime, const Args&) -> result<void> {
    const Runtime<S> copy = runtime;
    TENON_TRY(auto a, runtime.instantiate(define<Mlp>()));
    TENON_TRY(auto b, copy.instantiate(define<Mlp>()));
    EXPECT_EQ(&a.core().session().device(), &b.core().session().device());
    EXPECT_EQ(must(a.params()), must(b.params()));
    return {};
  });
  EXPECT_EQ(refusal(done), "accepted");
}

TEST_P(WithRuntime, WithModuleGivesACastAndWithModuleRuntimeTheRuntime) {
  std::vector<double> losses;
  const auto use = [&](auto& net, auto cast) -> result<void> {
    using S = decltype(cast(0.5));
    EXPECT_EQ(cast(0.1), static_cast<S>(0.1));
    const TypedRows<S> data(4);
    TENON_TRY(const S loss, net.forward(data.x, data.label));
    losses.push_back(loss);
    return {};
  };
  for (const char* dtype : {"float32", "float"}) {
    const Args args = flags({"--dtype", dtype, "--seed", "3", "more"});
    EXPECT_EQ(refusal(with_module(define<Mlp>(), args,
                                  [&](auto cast, auto& net, const Args& rest) {
                                    EXPECT_EQ(rest, Args{"more"});
                                    return use(net, cast);
                                  })),
              "accepted");
    EXPECT_EQ(refusal(with_module_runtime(define<Mlp>(), args,
                                          [&]<class S>(Runtime<S> runtime, auto& net, const Args& rest) {
                                            EXPECT_EQ(rest, Args{"more"});
                                            EXPECT_EQ(runtime.options().seed, 3u);
                                            return use(net, Runtime<S>::cast);
                                          })),
              "accepted");
  }
  ASSERT_EQ(losses.size(), 4u);
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(losses[2], losses[3]);
  EXPECT_NEAR(losses[0], losses[2], 1e-6);
}

TEST_P(WithRuntime, PassesOnTheErrorOfWhatItCalls) {
  const auto done = with_runtime(flags({}), []<class S>(Runtime<S>, const Args&) -> result<void> {
    return fail(Reason::DATA_MISMATCH, "[mine] something");
  });
  EXPECT_EQ(refusal(done), "[mine] something");
  EXPECT_EQ(exit_status(done), 1);
}

TEST_P(WithRuntime, FloatListsAreCheckedForTheirLengthFirst) {
  const std::vector<FloatInit> wrong(3, init::uniform(2, 1));
  Options nowhere = options_on(GetParam());
  nowhere.device = "metal";
  EXPECT_EQ(refusal(instantiate_float_with_init(define<Mlp>(), nowhere, wrong)),
            "[plan] found 3 initializers, expected 4");
  const auto array = mlp_plan().to_array();
  auto by_list = must(instantiate_float_with_init(define<Mlp>(), options_on(GetParam()), array));
  auto by_plan = must(instantiate_float_with_plan(define<Mlp>(), options_on(GetParam()), mlp_plan()));
  EXPECT_EQ(must(by_list.params()), must(by_plan.params()));
}

TEST_P(WithRuntime, AModuleRefusesADTypeOfAnotherScalarType) {
  Options options = options_on(GetParam());
  options.dtype = ScalarType{ScalarType::Kind::native};
  EXPECT_EQ(refusal(instantiate_configured<float>(define<Mlp>(), options)),
            "[module] dtype float: found a module of float, expected one of double");
  options.dtype = ScalarType{ScalarType::Kind::float32, Float32Mode::fast};
  EXPECT_EQ(refusal(instantiate_configured<double>(define<Mlp>(), options)),
            "[module] dtype float32:fast: found a module of double, expected one of float");
  EXPECT_TRUE(instantiate_configured<float>(define<Mlp>(), options));
  options.dtype = ScalarType{ScalarType::Kind::real};
  EXPECT_EQ(instantiate_configured<float>(define<Mlp>(), options).error().reason, Reason::NOT_EXECUTABLE);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, WithRuntime, testing::ValuesIn(everywhere()), name_of);

class Configuration : public testing::Test {
  Environment environment_;
};

TEST_F(Configuration, AnUnknownDeviceIsAUsageErrorAndCallsNothing) {
  const auto done = with_runtime({"--device", "cuba"}, []<class S>(Runtime<S>, const Args&) -> result<void> {
    ADD_FAILURE() << "called";
    return {};
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().reason, Reason::USAGE);
  EXPECT_EQ(exit_status(done), 2);
}

TEST_F(Configuration, HandSetNonsenseIsRefusedInTheFlagsWords) {
  const auto refused = [](auto change) {
    ExecConfig config;
    change(config);
    const auto options = config.to_options();
    EXPECT_FALSE(options);
    EXPECT_TRUE(options || options.error().reason == Reason::USAGE);
    return refusal(options);
  };
  EXPECT_EQ(refused([](ExecConfig& c) { c.threads = 100000; }).substr(0, 10), "--threads:");
  EXPECT_EQ(refused([](ExecConfig& c) { c.device = "x y"; }).substr(0, 9), "--device:");
  EXPECT_EQ(refused([](ExecConfig& c) { c.device = ""; }).substr(0, 8), "--device");
  EXPECT_EQ(refused([](ExecConfig& c) { c.options = {{"", "key", "value"}}; }).substr(0, 9), "--option:");
  EXPECT_EQ(refused([](ExecConfig& c) { c.options = {{"cpu", "", "value"}}; }).substr(0, 9), "--option:");
  EXPECT_EQ(refused([](ExecConfig& c) { c.provider = {ProviderPolicy::Rule::only, ""}; }).substr(0, 11), "--provider:");
}

TEST_F(Configuration, OptionsAreTheSameSettingsWithADTypeAndASeed) {
  ExecConfig config;
  config.device = "late:0";
  config.plugins = {late_manifest()};
  config.options = {{"late", "memory_bytes", "1000000"}};
  config.threads = 3;
  const Options options = must(config.to_options(5));
  EXPECT_EQ(options.seed, 5u);
  EXPECT_EQ(options.dtype, ScalarType());
  Options expected = config;
  expected.seed = 5;
  expected.dtype = ScalarType();
  EXPECT_EQ(options, expected);
  config.seed = 9;
  EXPECT_EQ(must(config.to_options(5)).seed, 9u);
}

std::vector<ExecConfig> configurations() {
  std::vector<ExecConfig> all(10);
  all[1].device = "vulkan:2";
  all[1].dtype = ScalarType{ScalarType::Kind::native};
  all[2].backend = Backend::compiled;
  all[3].dtype = ScalarType{ScalarType::Kind::float32, Float32Mode::fast};
  all[4].show_backend = LaunchReport::Form::json;
  all[5].show_backend = LaunchReport::Form::text;
  all[6].seed = ~std::uint64_t{0};
  all[7].provider = {ProviderPolicy::Rule::prefer, "acme"};
  all[7].assurance = Assurance::external;
  all[8].options = {{"acme", "a", "b=c"}, {"acme", "d", ""}};
  all[8].threads = 12;
  all[9].device = "late";
  all[9].plugins = {late_manifest()};
  all.emplace_back().plugins = {"/of nobody's \"own\" $HOME/*.json", "b\\n"};
  return all;
}

/// The words that a shell makes of a line.
Args shell_words(const std::string& line) {
  FILE* shell = popen(("printf '%s\\0' " + line).c_str(), "r");
  Args words;
  std::string word;
  for (int c = std::getc(shell); c != EOF; c = std::getc(shell))
    if (c == 0)
      words.push_back(std::exchange(word, {}));
    else
      word += static_cast<char>(c);
  pclose(shell);
  return words;
}

TEST_F(Configuration, PrintedFlagsParseToAnEqualOneAndNoOther) {
  const auto all = configurations();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ostringstream printed;
    printed << all[i];
    const auto [again, rest] = must(ExecConfig::parse_and_strip(shell_words(printed.str())));
    EXPECT_EQ(rest, Args());
    for (std::size_t j = 0; j < all.size(); ++j) EXPECT_EQ(again == all[j], i == j) << again << " and " << all[j];
  }
}

TEST_F(Configuration, TwoDevicesServeTwoModulesInOneProcess) {
  auto cpu = mlp_on<float>({"cpu", Backend::eager});
  auto late = mlp_on<float>({"late", Backend::compiled});
  const TypedRows<float> data(8);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(must(cpu.step_with_loss(0.5, data.x, data.label)), must(late.step_with_loss(0.5, data.x, data.label)));
  EXPECT_EQ(cpu.core().session().device().name(), "cpu:0");
  EXPECT_NE(late.core().session().device().name().find("late"), std::string::npos);
  EXPECT_EQ(must(cpu.params()), must(late.params()));
}

TEST_F(Configuration, ShowBackendTellsWhatRanWhenTheLastModuleGoes) {
  Options options = options_on({"cpu", Backend::eager});
  options.show_backend = LaunchReport::Form::text;
  testing::internal::CaptureStderr();
  {
    auto net = must(instantiate_with_plan<float>(define<Mlp>(), options, mlp_plan()));
    const TypedRows<float> data(8);
    ASSERT_TRUE(net.train_sgd({.epochs = 5, .batch = 4}, data.x, data.label));
  }
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("cross_entropy"), std::string::npos) << report;
  EXPECT_NE(report.find("sgd"), std::string::npos) << report;
}

}  // namespace
}  // namespace tenon::test
