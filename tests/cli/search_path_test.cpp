// Where plugins are looked for and what became of each file there: 6-acceptance K9.
#include <nlohmann/json.hpp>

#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

class SearchPath : public testing::Test {
 protected:
  SearchPath() {
    fs::create_directory(place_ / "Werkzeuge für Ada");
    fs::rename(installed_, moved_);
  }

  Outcome devices_by(const std::string& script) { return place_.shell(script + " devices --json"); }

  /// The plugins of a --json page, as "tenon/cpu of /file".
  static std::vector<std::string> plugins_in(const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::string> out;
    for (const auto& device : nlohmann::json::parse(outcome.out))
      if (!device["plugin"].is_null()) out.push_back(device["plugin"]["file"]);
    return out;
  }

  std::string moved(const std::string& file) const { return (moved_ / file).string(); }

  Workplace place_;
  fs::path installed_ = place_.install(), moved_ = place_ / "Werkzeuge für Ada/tenon";
};

TEST_F(SearchPath, FollowsATreeThatWasMoved) {
  const std::vector<std::string> expected{moved("lib/tenon-plugins/tenon_cpu.so")};
  EXPECT_EQ(plugins_in(devices_by("cd / && '" + moved("bin/tenon") + "'")), expected);
  fs::create_directory(place_ / "links");
  fs::create_symlink(moved("bin/tenon"), place_ / "links/tenon");
  EXPECT_EQ(plugins_in(devices_by("links/tenon")), expected);
  EXPECT_EQ(plugins_in(devices_by("PATH='" + moved("bin") + "':$PATH tenon")), expected);
  EXPECT_EQ(plugins_in(devices_by("PATH='" + (place_ / "links").string() + "':$PATH tenon")), expected);
}

class Override : public SearchPath {
 protected:
  std::string error_with(const std::string& folder) {
    const Outcome outcome = place_.shell("TENON_PLUGIN_PATH='" + folder + "' '" + moved("bin/tenon") + "' devices");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
    return outcome.err;
  }
};

TEST_F(Override, ThatIsNotThereIsAnError) {
  EXPECT_NE(error_with("/nonexistent/plugins").find("/nonexistent/plugins: the folder does not exist"),
            std::string::npos);
}

TEST_F(Override, ThatIsAFileIsAnError) {
  const std::string file = place_.write("a file", "");
  EXPECT_NE(error_with(file).find(file + ": not a folder"), std::string::npos);
}

TEST_F(Override, ThatCannotBeReadIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads every folder";
  fs::create_directory(place_ / "closed");
  fs::permissions(place_ / "closed", fs::perms::none);
  EXPECT_NE(error_with(place_ / "closed").find("closed: the folder cannot be read"), std::string::npos);
  fs::permissions(place_ / "closed", fs::perms::owner_all);
}

TEST_F(Override, AddsToTheOtherFoldersAndComesBeforeThem) {
  const std::string late = TENON_TEST_BUILD_DIR "/test-plugins/late";
  const std::string run = "TENON_PLUGIN_PATH='" + late + "' '" + moved("bin/tenon") + "' ";
  const std::vector<std::string> expected{moved("lib/tenon-plugins/tenon_cpu.so"), late + "/tenon_late.so"};
  EXPECT_EQ(plugins_in(devices_by("TENON_PLUGIN_PATH='" + late + "' '" + moved("bin/tenon") + "'")), expected);
  const nlohmann::json page = nlohmann::json::parse(place_.shell(run + "plugins --json").out);
  EXPECT_EQ(page["folders"][0]["origin"], "TENON_PLUGIN_PATH");
  EXPECT_EQ(page["folders"][0]["path"], late);
  EXPECT_NE(std::string(page["rule"]).find("TENON_PLUGIN_PATH adds to the others and comes before them"),
            std::string::npos);
  EXPECT_NE(place_.shell(run + "plugins --verbose").out.find("TENON_PLUGIN_PATH adds to the others"),
            std::string::npos);
}

/// Every folder in order, what lies there, and why a file was not taken.
TEST_F(SearchPath, IsAGoldenPage) {
  const fs::path fakes = fs::path(TENON_TEST_BUILD_DIR) / "test-plugins", vendor = place_ / "vendor";
  fs::create_directory(vendor);
  for (const char* file : {"late/late.tenon.json", "late/tenon_late.so", "absent/absent.tenon.json"})
    fs::copy_file(fakes / file, vendor / fs::path(file).filename());
  fs::copy_file(fakes / "kernels_only/tenon_kernels_only.so", vendor / "stray.so.1");
  std::ofstream(vendor / "broken.tenon.json") << "nonsense";
  fs::create_directory(place_ / "again");
  fs::create_symlink(vendor / "stray.so.1", place_ / "again/link.so");
  for (const char* file : {"late.tenon.json", "tenon_late.so"}) fs::copy_file(vendor / file, place_ / "again" / file);
  place_.set("TENON_PLUGIN_PATH", vendor.string() + ":" + (place_ / "again").string());
  const Outcome outcome = place_.shell("'" + moved("bin/tenon") + "' plugins --verbose --plugin '" +
                                       moved("lib/tenon-plugins/cpu.tenon.json") + "'");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string page = outcome.out.substr(0, outcome.out.find("\nplugin "));
  expect_golden("plugins_verbose.txt", replaced_all(normalised(page, moved_), fs::canonical(place_ / "."), "/PLACE"));
}

TEST_F(SearchPath, TellsForProgramsWhatBecameOfEachFile) {
  const std::string late = TENON_TEST_BUILD_DIR "/test-plugins/late";
  const nlohmann::json page = nlohmann::json::parse(
      place_.shell("'" + moved("bin/tenon") + "' plugins --json --plugin '" + late + "/late.tenon.json'").out);
  EXPECT_EQ(page["folders"][0]["origin"], "--plugin");
  EXPECT_EQ(page["folders"][0]["files"][0]["taken"], true);
  EXPECT_EQ(page["folders"][0]["files"][0]["words"], "fakes/late 0.1.0 for late, found, not probed");
  for (const auto& folder : page["folders"]) EXPECT_TRUE(fs::path(folder["path"]).is_absolute()) << folder;
  EXPECT_EQ(page["folders"].back()["origin"], "beside libtenon.so");
}

}  // namespace
}  // namespace tenon::test
