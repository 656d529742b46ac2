#include "tenon/runtime.h"

#include <gtest/gtest.h>

#include <sstream>

#include "environment.h"
#include "tenon/exec_config.h"
#include "tenon/worker_pool.h"

namespace tenon {
namespace {

class RuntimeTest : public testing::Test {
 protected:
  /// The error of opening what these flags ask for; nothing may be written by then.
  Error refused(const test::Args& args) {
    std::ostringstream diagnostics;
    const auto runtime = open_runtime(ExecConfig::parse_and_strip(args)->first, diagnostics);
    EXPECT_FALSE(runtime);
    EXPECT_EQ(diagnostics.str(), "");
    return runtime ? Error() : runtime.error();
  }

  test::Environment environment_;
};

TEST_F(RuntimeTest, RefusesDTypesThatAreForReasoning) {
  for (const char* dtype : {"real", "fp32", "complex:fp32"}) {
    const Error error = refused({"--dtype", dtype});
    EXPECT_EQ(error.reason, Reason::NOT_EXECUTABLE);
    EXPECT_NE(to_string(error).find("float, float32 or float32:fast"), std::string::npos) << to_string(error);
  }
}

TEST_F(RuntimeTest, RefusesEveryNamedDeviceWithoutAPlugin) {
  for (const char* device : {"wasm", "tpu", "trainium", "custom", "external", "metal"}) {
    const Error error = refused({"--device", device});
    EXPECT_EQ(error.reason, Reason::NO_PLUGIN);
    EXPECT_NE(error.text.find(device), std::string::npos);
    EXPECT_NE(error.text.find("searched: "), std::string::npos);
    EXPECT_NE(error.text.find("usable devices: "), std::string::npos);
  }
}

TEST_F(RuntimeTest, RefusesAPluginFileThatCannotBeUsedWhateverTheDevice) {
  const std::string file = TENON_TEST_SOURCE_DIR "/README.md";
  for (const char* device : {"auto", "cpu", "metal"})
    EXPECT_NE(refused({"--device", device, "--plugin", file}).text.find(file), std::string::npos);
}

TEST_F(RuntimeTest, RefusesOptionsOfPluginsThatItDoesNotUse) {
  const Error error = refused({"--device", "cpu", "--option", "acme.cache=1"});
  EXPECT_EQ(error.reason, Reason::OPTION_UNKNOWN);
  EXPECT_NE(error.text.find("expected one that the session uses: cpu"), std::string::npos) << error.text;
}

TEST_F(RuntimeTest, GivesEachItsOwnThreadCount) {
  const auto threads = [](const test::Args& args) {
    std::ostringstream diagnostics;
    EXPECT_TRUE(open_runtime(ExecConfig::parse_and_strip(args)->first, diagnostics));
    return worker_count();
  };
  const std::uint32_t usable = worker_count();  // what the process starts with
  EXPECT_EQ(threads({"--device", "cpu", "--threads", "3"}), 3u);
  EXPECT_EQ(threads({"--device", "cpu", "--threads", "5"}), 5u);
  EXPECT_EQ(threads({"--device", "cpu"}), usable);
}

Candidate installed(const std::string& vendor, ManifestDevice device) {
  Candidate candidate{Origin::user, "/plugins/" + device.kind + ".tenon.json", {}, std::nullopt, false};
  candidate.manifest.vendor = vendor;
  candidate.manifest.devices.push_back(std::move(device));
  return candidate;
}

TEST_F(RuntimeTest, AutoLineSaysWhenNothingElseIsInstalled) {
  EXPECT_EQ(auto_line("cpu:0", installed("tenon", {"cpu", "cpu"}), Catalogue()),
            "auto: cpu:0 taken; no other device is installed");
}

}  // namespace
}  // namespace tenon
