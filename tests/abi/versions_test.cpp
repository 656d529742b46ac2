// One vendor's plugin, built against older, newer and strange versions of the header, met by this Tenon.
#include <gtest/gtest.h>

#include <regex>

#include "cli/run_tenon.h"
#include "tenon/loaded_plugin.h"
#include "tenon/manifest.h"
#include "tenon/plugin.h"

namespace tenon::test {
namespace {

const fs::path plugins = TENON_TEST_BUILD_DIR "/test-plugins";

std::string version_text(std::uint32_t abi) { return std::to_string(abi >> 16) + "." + std::to_string(abi & 0xffff); }

const std::string current = version_text(TENON_ABI), next = version_text(TENON_ABI + 1),
                  next_major = std::to_string((TENON_ABI >> 16) + 1) + ".0", oldest = version_text(TENON_ABI_OLDEST),
                  accepted = " accepts ABI " + oldest + (oldest == current ? "" : " to " + current);

/// The plugins of published versions: "abi_0_1", ...
std::vector<std::string> published() {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(TENON_TEST_SOURCE_DIR "/tests/abi/headers", none))
    out.push_back("abi_" + std::regex_replace(entry.path().filename().string(), std::regex(R"(\.)"), "_"));
  return out;
}

class Versions : public testing::Test {
 protected:
  static std::string library(const std::string& name) { return plugins / name / ("tenon_" + name + ".so"); }

  /// The program on a device, with one plugin installed. The result, or an empty text and `outcome_` says why.
  std::string run(const std::string& plugin, const std::string& device) {
    place_.set("TENON_PLUGIN_PATH", plugins / plugin);
    const fs::path out = place_ / "out.csv";
    fs::remove(out);
    outcome_ = place_.tenon({"run", model_, "--input", input_, "--output", out, "--device", device});
    return outcome_.status == 0 ? read_file(out) : "";
  }

  std::string devices(const std::string& plugin) {
    place_.set("TENON_PLUGIN_PATH", plugins / plugin);
    const Outcome listing = place_.tenon({"devices"});
    EXPECT_EQ(listing.status, 0) << plugin << "\n" << listing.err;
    return listing.out + listing.err;
  }

  void expect_served(const std::string& name) {
    EXPECT_EQ(lines_that_begin_with(devices(name), name + " ").size(), 1u) << devices(name);
    EXPECT_EQ(run(name, name), result_) << name << "\n" << outcome_.err;
    EXPECT_EQ(run(name, "cpu"), result_) << name << "\n" << outcome_.err;
  }

  void expect_refused(const std::string& name, const std::vector<std::string>& words, const std::string& hint) {
    const std::string listing = devices(name);
    EXPECT_EQ(run(name, name), "");
    EXPECT_EQ(outcome_.status, 1) << name;
    EXPECT_EQ(count(outcome_.err, "error: "), 1u) << outcome_.err;
    EXPECT_NE(outcome_.err.find("next: " + hint), std::string::npos) << outcome_.err;
    for (const std::string& text : {listing, outcome_.err}) {
      EXPECT_NE(text.find(library(name)), text.npos) << text;
      for (const std::string& word : words) EXPECT_NE(text.find(word), text.npos) << text;
    }
    EXPECT_EQ(run(name, "cpu"), result_) << name << "\n" << outcome_.err;
  }

  Workplace place_;
  Outcome outcome_;
  std::string model_ = place_.write("chain.tenon",
                                    "tenon program 1\nname chain\n%x = input x : (2, 2)\n\nforward\n"
                                    "  %square = matmul(%x, %x)\n  %cube = matmul(%square, %x)\n"
                                    "  %sum = add(%cube, %x)\n  %positive = relu(%sum)\n  return %positive\n");
  std::string input_ = place_.write("x.csv", "a,b\n1,-2\n3,4\n");
  std::string result_;

  void SetUp() override {
    result_ = run("abi_current", "cpu");
    ASSERT_NE(result_, "") << outcome_.err;
    EXPECT_NE(result_.find("\n0,0\n48,14\n"), result_.npos) << result_;
  }
};

TEST_F(Versions, ThatWerePublishedAreServed) {
  if (published().empty()) GTEST_SKIP() << "no version was published before this one";
  for (const std::string& name : published()) expect_served(name);
}

TEST_F(Versions, OfTodayAreServed) { expect_served("abi_current"); }

TEST_F(Versions, OfTheNextMinorStepAreServedInTodaysWords) { expect_served("abi_next"); }

TEST_F(Versions, ThatNeedTheNextMinorStepAskForANewerTenon) {
  expect_refused("abi_needs_next", {"it offers ABI " + next + ", ", accepted}, "update Tenon; the plugin is newer");
}

TEST_F(Versions, OfTheNextMajorStepAskForANewerTenon) {
  expect_refused("abi_next_major", {"it offers ABI " + next_major + ", ", accepted},
                 "update Tenon; the plugin is newer");
}

TEST_F(Versions, OfAFileWithoutManifestAreAskedOfTheFile) {
  outcome_ = place_.tenon({"run", model_, "--input", input_, "--output", place_ / "o.csv", "--plugin",
                           library("abi_next_major"), "--device", "abi_next_major"});
  EXPECT_EQ(outcome_.status, 1);
  for (const std::string& words : {library("abi_next_major"), "it offers ABI " + next_major + ", ", accepted})
    EXPECT_NE(outcome_.err.find(words), std::string::npos) << outcome_.err;
}

TEST_F(Versions, WithoutATableNameBothSides) {
  expect_refused("null_table", {"its entry point returned no table", "it offers ABI " + current + ", ", accepted},
                 "update the plugin: rebuild it");
}

TEST_F(Versions, WithATableThatIsTooSmallNameBothSides) {
  expect_refused("small_devices", {"its tenon_devices is too small", "it offers ABI " + current + ", ", accepted},
                 "update the plugin: rebuild it");
}

TEST(VersionsInProcess, GiveSlotsThatAPluginIsTooOldForAnAnswer) {
  const auto load = [](const std::string& name) {
    const auto catalogue = Catalogue::scan({.named = {plugins / name / (name + ".tenon.json")}});
    const auto candidate = find_plugin({"", name, 0}, *catalogue);
    EXPECT_TRUE(candidate) << candidate.error().text;
    return LoadedPlugin::load(*candidate, {});
  };
  for (const std::string& name : published()) {
    const auto older = load(name);
    ASSERT_TRUE(older) << older.error().text;
    EXPECT_EQ((*older)->devices().size, sizeof(tenon_devices));
    const std::int32_t status = (*older)->devices().stream_label(nullptr, "epoch 1");
    EXPECT_EQ(status, TENON_UNIMPLEMENTED);
    EXPECT_EQ(plugin_error(status, "stream_label").text, "[stream_label] not implemented by this plugin");
  }
  for (const std::string name : {"abi_current", "abi_next"}) {
    const auto loaded = load(name);
    ASSERT_TRUE(loaded) << loaded.error().text;
    EXPECT_EQ((*loaded)->devices().stream_label(nullptr, "epoch 1"), TENON_OK);
  }
}

TEST(VersionsInManifests, AreTheRangeThatThePluginOffers) {
  const auto range = [](const fs::path& file) {
    const auto manifest = read_manifest(file);
    EXPECT_TRUE(manifest) << manifest.error().text;
    return std::pair(manifest->abi_min, manifest->abi_max);
  };
  const std::uint32_t first = TENON_ABI_OLDEST, newest = TENON_ABI;
  EXPECT_EQ(range(TENON_TEST_BUILD_DIR "/lib/tenon-plugins/cpu.tenon.json"), std::pair(first, newest));
  EXPECT_EQ(range(plugins / "abi_next/abi_next.tenon.json"), std::pair(first, newest + 1));
  EXPECT_EQ(range(plugins / "abi_needs_next/abi_needs_next.tenon.json"), std::pair(newest + 1, newest + 1));
  for (const std::string& name : published()) {
    const auto [least, most] = range(plugins / name / (name + ".tenon.json"));
    EXPECT_EQ(least, first) << name;
    EXPECT_LT(most, newest) << name;
  }
}

}  // namespace
}  // namespace tenon::test
