#include "tenon/exec_config.h"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "environment.h"

namespace tenon {
namespace {

using test::Args;

class ExecConfigTest : public testing::Test {
 protected:
  test::Environment environment_;
};

ExecConfig parsed(const Args& args) {
  const auto stripped = ExecConfig::parse_and_strip(args);
  EXPECT_TRUE(stripped) << (stripped ? "" : stripped.error().text);
  return stripped ? stripped->first : ExecConfig();
}

Error refused(const Args& args) {
  const auto stripped = ExecConfig::parse_and_strip(args);
  EXPECT_FALSE(stripped) << (args.empty() ? "" : args.front());
  return stripped ? Error() : stripped.error();
}

TEST_F(ExecConfigTest, HasStandardsForEverything) {
  const ExecConfig config = parsed({});
  EXPECT_EQ(config, ExecConfig());
  EXPECT_EQ(config.device, "auto");
  EXPECT_EQ(config.backend, Backend::eager);
  EXPECT_EQ(to_string(config.scalar_type()), "float32");
  EXPECT_FALSE(config.show_backend);
  EXPECT_FALSE(config.assurance);
  EXPECT_EQ(config.seed, 0u);
}

TEST_F(ExecConfigTest, TakesItsFlagsAndLeavesTheRestInOrder) {
  const auto stripped = ExecConfig::parse_and_strip(
      Args{"mlp", "--device=cuda:1", "--data", "x.csv", "--backend", "compiled", "--seed=18446744073709551615",
           "--show-backend=json", "--provider", "only:acme", "--assurance", "external", "--option", "acme.cache=a=b",
           "--threads", "3", "--", "--device", "cpu"});
  ASSERT_TRUE(stripped);
  EXPECT_EQ(stripped->second, (Args{"mlp", "--data", "x.csv", "--", "--device", "cpu"}));
  EXPECT_EQ(to_string(stripped->first),
            "--device cuda:1 --backend compiled --dtype float --seed 18446744073709551615 --provider only:acme "
            "--show-backend=json --assurance external --threads 3 --option acme.cache=a=b");
}

TEST_F(ExecConfigTest, PrintsFlagsThatParseToTheSame) {
  const ExecConfig config = parsed({"--device", "rocm", "--dtype", "fast", "--provider=prefer:x", "--show-backend"});
  std::istringstream words(to_string(config));
  const Args args{std::istream_iterator<std::string>(words), {}};
  EXPECT_EQ(parsed(args), config);
  EXPECT_NE(parsed({}), config);
}

TEST_F(ExecConfigTest, StandardDTypeFollowsTheDeviceClass) {
  for (const char* gpu : {"cuda", "rocm:1", "vulkan", "metal"})
    EXPECT_EQ(to_string(parsed({"--device", gpu}).scalar_type()), "float");
  for (const char* other : {"auto", "cpu", "tpu", "trainium", "wasm", "custom", "external"})
    EXPECT_EQ(to_string(parsed({"--device", other}).scalar_type()), "float32") << other;
  EXPECT_EQ(to_string(parsed({"--device", "cuda", "--dtype", "float32"}).scalar_type()), "float32");
}

TEST_F(ExecConfigTest, CallersStandardDTypeTakesItsPlace) {
  const ScalarType fast{ScalarType::Kind::float32, Float32Mode::fast};
  const auto with = [&](const Args& args) {
    return to_string(ExecConfig::parse_and_strip_with_default_dtype(args, fast)->first.scalar_type());
  };
  EXPECT_EQ(with({"--device", "cuda"}), "float32:fast");
  EXPECT_EQ(with({"--float32-mode", "ieee754"}), "float32");
}

TEST_F(ExecConfigTest, Float32ModeIsAnotherSpellingOfDType) {
  EXPECT_EQ(parsed({"--float32-mode", "fast"}), parsed({"--dtype", "float32:fast"}));
  EXPECT_EQ(parsed({"--float32-mode", "ieee32"}), parsed({"--dtype", "f32"}));
}

TEST_F(ExecConfigTest, EveryNamedDeviceParses) {
  for (const KnownDevice& device : known_devices())
    EXPECT_EQ(parsed({"--device", std::string(device.kind)}).device, device.kind);
}

TEST_F(ExecConfigTest, EnvironmentTwinsCountBelowTheFlags) {
  environment_.set("TENON_DEVICE", "cuda:1");
  environment_.set("TENON_BACKEND", "compiled");
  environment_.set("TENON_FLOAT32_MODE", "fast");
  environment_.set("TENON_SHOW_BACKEND", "1");
  environment_.set("TENON_SEED", "7");
  environment_.set("TENON_PROVIDER", "prefer:x");
  environment_.set("TENON_ASSURANCE", "checked");
  environment_.set("TENON_THREADS", "2");
  EXPECT_EQ(to_string(parsed({})),
            "--device cuda:1 --backend compiled --dtype float32:fast --seed 7 --provider prefer:x --show-backend "
            "--assurance checked --threads 2");
  EXPECT_EQ(parsed({"--device", "cpu"}).device, "cpu");
  EXPECT_EQ(to_string(parsed({"--dtype", "float"}).scalar_type()), "float");
}

TEST_F(ExecConfigTest, EmptyEnvironmentTwinIsUnset) {
  environment_.set("TENON_DEVICE", "");
  environment_.set("TENON_SEED", "");
  EXPECT_EQ(parsed({}), ExecConfig());
}

TEST_F(ExecConfigTest, ErrorsInTheEnvironmentNameTheVariable) {
  environment_.set("TENON_SEED", "seven");
  EXPECT_EQ(refused({}).text, "TENON_SEED: found \"seven\", expected a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(parsed({"--seed", "1"}).seed, 1u);
}

TEST_F(ExecConfigTest, TwoSpellingsOfTheDTypeExcludeEachOther) {
  const Error error = refused({"--float32-mode", "fast", "--dtype", "float32"});
  EXPECT_EQ(error.reason, Reason::USAGE);
  EXPECT_EQ(error.text, "--float32-mode and --dtype exclude each other: both say what float32 means");
  environment_.set("TENON_DTYPE", "float");
  environment_.set("TENON_FLOAT32_MODE", "fast");
  EXPECT_EQ(refused({}).text, "TENON_DTYPE and TENON_FLOAT32_MODE exclude each other: both say what float32 means");
}

struct Refusal {
  Args args;
  std::string text;
};

class RefusedExecFlags : public testing::TestWithParam<Refusal> {
  test::Environment environment_;
};

TEST_P(RefusedExecFlags, AreUsageErrorsThatBeginWithTheFlag) {
  const Error error = refused(GetParam().args);
  EXPECT_EQ(error.reason, Reason::USAGE);
  EXPECT_EQ(error.text.substr(0, GetParam().text.size()), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedExecFlags,
    testing::Values(
        Refusal{{"--device"}, "--device: missing value, expected auto, cpu, cuda, "},
        Refusal{{"--device", "--seed", "1"}, "--device: missing value"},
        Refusal{{"--device", ""}, "--device: found an empty value"},
        Refusal{{"--device="}, "--device: found an empty value"},
        Refusal{{"--device", "cpu", "--device", "vendor"}, "--device: given twice"},
        Refusal{{"--device", "cpu,vendor"}, "--device: cpu,vendor: no such device name"},
        Refusal{{"--device", "cudaa"}, "--device: cudaa: no such device name"},
        Refusal{{"--device", "CPU"}, "--device: CPU: no such device name"},
        Refusal{{"--device", "cuda:"}, "--device: cuda:"}, Refusal{{"--device", "cuda:x"}, "--device: cuda:x"},
        Refusal{{"--device", "auto:1"}, "--device: auto:1"},
        Refusal{{"--backend", "fast"}, "--backend: found \"fast\", expected eager or compiled"},
        Refusal{{"--backend", "Eager"}, "--backend: found \"Eager\""},
        Refusal{{"--dtype", "float64"}, "--dtype: found \"float64\", expected float, float32"},
        Refusal{{"--float32-mode", "float32"}, "--float32-mode: found \"float32\""},
        Refusal{{"--show-backend=maybe"}, "--show-backend: found \"maybe\", expected nothing, or =json"},
        Refusal{{"--show-backend=1"}, "--show-backend: found \"1\""},
        Refusal{{"--seed", "12abc"}, "--seed: found \"12abc\""}, Refusal{{"--seed", "-1"}, "--seed: found \"-1\""},
        Refusal{{"--seed", "18446744073709551616"}, "--seed: found \"18446744073709551616\""},
        Refusal{{"--provider", "last"}, "--provider: found \"last\", expected first, prefer:NAME or only:NAME"},
        Refusal{{"--provider", "only:"}, "--provider: found \"only:\""},
        Refusal{{"--assurance", "verified"}, "--assurance: found \"verified\", expected checked or external"},
        Refusal{{"--option", "key=value"}, "--option: found \"key=value\", expected plugin.key=value"},
        Refusal{{"--option", "acme.key"}, "--option: found \"acme.key\""},
        Refusal{{"--option", "acme.=1"}, "--option: found \"acme.=1\""},
        Refusal{{"--threads", "0"}, "--threads: found \"0\", expected a whole number from 1 to 1024"},
        Refusal{{"--plugin"}, "--plugin: missing value"}));

TEST_F(ExecConfigTest, TheFirstErrorWins) {
  EXPECT_TRUE(refused({"--backend", "fast", "--seed", "x", "--device"}).text.starts_with("--backend"));
  EXPECT_TRUE(refused({"--seed", "x", "--backend", "fast"}).text.starts_with("--seed"));
  EXPECT_TRUE(refused({"--device", "--backend", "fast"}).text.starts_with("--device: missing"));
}

TEST_F(ExecConfigTest, AnUnknownDeviceSuggestsTheNearestAndListsAll) {
  const Error error = refused({"--device", "cudaa"});
  EXPECT_EQ(error.hint, "did you mean --device cuda?");
  for (const KnownDevice& device : known_devices()) EXPECT_NE(error.text.find(device.kind), std::string::npos);
}

TEST_F(ExecConfigTest, NothingIsAbbreviated) {
  EXPECT_EQ(ExecConfig::parse_and_strip(Args{"--dev", "cpu", "--Device", "cpu"})->second,
            (Args{"--dev", "cpu", "--Device", "cpu"}));
}

TEST_F(ExecConfigTest, RequestsCudaSeesCudaAndItsOrdinals) {
  const auto requests = [](const Args& args) { return ExecConfig::requests_cuda(args); };
  EXPECT_TRUE(requests({"--device", "cuda"}));
  EXPECT_TRUE(requests({"x", "--device=cuda:1", "--unknown"}));
  EXPECT_FALSE(requests({"--device", "cuda:x"}));
  EXPECT_FALSE(requests({"--device", "cudaa"}));
  EXPECT_FALSE(requests({"--device", "rocm", "cuda"}));
  EXPECT_FALSE(requests({"--", "--device", "cuda"}));
  EXPECT_FALSE(requests({}));
}

TEST_F(ExecConfigTest, ParsesSingleWords) {
  EXPECT_EQ(ExecConfig::parse_backend("compiled").value(), Backend::compiled);
  EXPECT_EQ(ExecConfig::parse_backend("compild").error().hint, "did you mean compiled?");
  EXPECT_EQ(ExecConfig::parse_device("auto", {}).value(), "auto");
  EXPECT_EQ(ExecConfig::parse_device("cuda:1", {}).value(), "cuda:1");
  EXPECT_FALSE(ExecConfig::parse_device("cudaa", {}));
}

TEST_F(ExecConfigTest, LogsDTypeBackendAndDevice) {
  std::ostringstream out;
  parsed({"--device", "cuda:1"}).log(out);
  EXPECT_EQ(out.str(), "dtype: float (the device's native width, any kernel)\nbackend: eager\ndevice: cuda:1\n");
}

}  // namespace
}  // namespace tenon
