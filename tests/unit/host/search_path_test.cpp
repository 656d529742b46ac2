#include "search_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "catalogue_builder.h"
#include "own_object.h"
#include "temp_folder.h"

namespace tenon::host {
namespace {

using test::TempFolder;

class SearchPath : public testing::Test {
 protected:
  SearchPath() {
    std::filesystem::create_directories(root / "one");
    std::filesystem::create_directories(root / "lib/tenon-plugins");
    environment.home = root.path();
    environment.object = root / "lib/libtenon.so";
  }

  std::vector<std::string> places() {
    std::vector<std::string> out;
    const auto folders = search_folders(environment);
    EXPECT_TRUE(folders) << folders.error().text;
    for (const SearchFolder& folder : *folders)
      out.push_back(std::string(name(folder.origin)) + " " +
                    test::replaced(folder.path.string(), root.path().string(), "~"));
    return out;
  }

  TempFolder root;
  SearchEnvironment environment;
};

const std::vector<std::string> last_three{"system /usr/local/lib/tenon/plugins", "system /usr/lib/tenon/plugins",
                                          "beside libtenon.so ~/lib/tenon-plugins"};

std::vector<std::string> before_last_three(std::vector<std::string> first) {
  first.insert(first.end(), last_three.begin(), last_three.end());
  return first;
}

TEST_F(SearchPath, GoesFromEnvironmentToUserToSystemToLibrary) {
  environment.plugin_path = (root / "one").string();
  EXPECT_EQ(places(), before_last_three({"TENON_PLUGIN_PATH ~/one", "user ~/.local/share/tenon/plugins"}));
  environment.data_home = (root / "data").string();
  EXPECT_EQ(places(), before_last_three({"TENON_PLUGIN_PATH ~/one", "user ~/data/tenon/plugins"}));
}

TEST_F(SearchPath, IgnoresEmptyElementsAndRelativeDataFolders) {
  environment.plugin_path = "::" + (root / "one").string() + ":";
  environment.data_home = "data";
  EXPECT_EQ(places(), before_last_three({"TENON_PLUGIN_PATH ~/one", "user ~/.local/share/tenon/plugins"}));
  environment.plugin_path = ":";
  environment.home = "";
  EXPECT_EQ(places(), last_three);
}

TEST_F(SearchPath, TakesSystemFoldersOnlyInAProgramWithExtraRights) {
  environment.plugin_path = (root / "none").string();
  environment.secure = true;
  EXPECT_EQ(places(), std::vector<std::string>(last_three.begin(), last_three.begin() + 2));
}

TEST_F(SearchPath, ListsAFolderOnce) {
  environment.plugin_path =
      (root / "one").string() + ":" + (root / "one/").string() + ":" + (root / "lib/tenon-plugins").string();
  EXPECT_EQ(places().size(), 5u);
}

TEST_F(SearchPath, NeverIgnoresAnExplicitPathInSilence) {
  environment.plugin_path = (root / "none").string();
  auto folders = search_folders(environment);
  ASSERT_FALSE(folders);
  EXPECT_EQ(folders.error().reason, Reason::PLUGIN_PATH_UNUSABLE);
  EXPECT_NE(folders.error().text.find((root / "none").string() + ": the folder does not exist"), std::string::npos);
  environment.plugin_path = root.write("file", "").string();
  EXPECT_EQ(search_folders(environment).error().reason, Reason::PLUGIN_PATH_UNUSABLE);
}

TEST_F(SearchPath, RefusesAnExplicitFolderThatCannotBeRead) {
  std::filesystem::permissions(root.path(), std::filesystem::perms{0755});
  std::filesystem::permissions(root / "one", std::filesystem::perms{0});
  environment.plugin_path = (root / "one").string();
  const auto expect_refused = [&] {
    const auto folders = search_folders(environment);
    EXPECT_TRUE(!folders && folders.error().text.find("permission denied") != std::string::npos);
    return folders ? 1 : 0;
  };
  if (::geteuid() != 0)
    expect_refused();
  else
    EXPECT_EXIT(::_exit(::setuid(65534) == 0 ? expect_refused() : 2), testing::ExitedWithCode(0), "");
}

TEST_F(SearchPath, SortsManifestsByName) {
  for (const char* file : {"one/b.tenon.json", "one/a.tenon.json", "one/tenon.json", "one/c.json"})
    root.write(file, "");
  SearchFolder folder{Origin::environment, root / "one", true, {}};
  EXPECT_EQ(manifests_in(folder), (std::vector{root / "one/a.tenon.json", root / "one/b.tenon.json"}));
}

TEST_F(SearchPath, LooksBesideAProgramThatContainsTenon) {
  const auto folders = folders_beside(root / "bin/program");
  EXPECT_EQ(folders, (std::vector{root / "bin/tenon-plugins", root / "lib/tenon-plugins"}));
  EXPECT_EQ(folders_beside(root / "lib/libtenon.so.0").size(), 1u);
}

TEST_F(SearchPath, FindsItsOwnProgram) { EXPECT_EQ(own_object(), std::filesystem::canonical("/proc/self/exe")); }

TEST_F(SearchPath, PutsNamedFilesFirst) {
  const auto file = test::install(root, "elsewhere", "vendor", test::manifest_text("vendor", "acme"));
  test::install(root, "one", "vendor", test::manifest_text("vendor", "acme"));
  environment.plugin_path = (root / "one").string();
  for (const auto& given : {file, root / "elsewhere/vendor.so"}) {
    const auto catalogue = CatalogueBuilder(environment).build({.named = {given}});
    ASSERT_TRUE(catalogue) << catalogue.error().text;
    EXPECT_EQ(catalogue->folders().front().path, given);
    EXPECT_EQ(catalogue->candidates().front().file, given);
    EXPECT_EQ(catalogue->candidates().front().manifest.id, "vendor");
    EXPECT_TRUE(catalogue->candidates()[1].error);
  }
  const auto missing = CatalogueBuilder(environment).build({.named = {root / "none.so"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().reason, Reason::PLUGIN_PATH_UNUSABLE);
  EXPECT_NE(missing.error().text.find((root / "none.so").string()), std::string::npos);
}

TEST_F(SearchPath, CallsOwnOnlyWhatLiesBesideTheLibraryWithItsVersion) {
  const auto ours = [](const std::string& version) {
    return test::replaced(test::manifest_text("cpu"), "1.2.3", version);
  };
  test::install(root, "lib/tenon-plugins", "cpu", ours("0.1.0"));
  EXPECT_TRUE(CatalogueBuilder(environment).build({})->candidates().front().own);
  test::install(root, "lib/tenon-plugins", "cpu", ours("0.0.9"));
  EXPECT_FALSE(CatalogueBuilder(environment).build({})->candidates().front().own);
  test::install(root, "one", "cpu", ours("0.1.0"));
  environment.plugin_path = (root / "one").string();
  EXPECT_FALSE(CatalogueBuilder(environment).build({})->candidates().front().own);
}

}  // namespace
}  // namespace tenon::host
