// plugin_copy.h: a plugin of tests/fakes/bad copied into a folder of the test's own, to be spoilt or loaded anew: the
// loader takes a copy for another library.
#pragma once
#include <gtest/gtest.h>

#include "tenon/device.h"
#include "unit/host/temp_folder.h"

namespace tenon::test {

class PluginCopies : public testing::Test {
 protected:
  static inline const std::filesystem::path built = TENON_TEST_BUILD_DIR "/test-plugins";

  /// Answers the copy's manifest. `folder` is one of root.
  std::filesystem::path copy(const std::string& name, const std::string& folder) const {
    std::filesystem::copy(built / name, root / folder, std::filesystem::copy_options::recursive);
    return root / folder / (name + ".tenon.json");
  }

  static std::filesystem::path library_of(const std::filesystem::path& manifest) {
    const std::string file = manifest.filename();
    return manifest.parent_path() / ("tenon_" + file.substr(0, file.find('.')) + ".so");
  }

  /// Of the plugins in these manifests, the first named first.
  static Catalogue scan(const std::vector<std::filesystem::path>& manifests) {
    auto catalogue = Catalogue::scan({.named = manifests});
    EXPECT_TRUE(catalogue) << catalogue.error().text;
    return *std::move(catalogue);
  }

  static Candidate candidate(const std::filesystem::path& manifest) {
    const Catalogue catalogue = scan({manifest});
    return catalogue.candidates().front();
  }

  static std::shared_ptr<LoadedPlugin> load(const std::filesystem::path& manifest) {
    auto loaded = LoadedPlugin::load(candidate(manifest), {});
    EXPECT_TRUE(loaded) << loaded.error().text;
    return loaded ? *std::move(loaded) : nullptr;
  }

  static void expect_refused(const Candidate& candidate, Reason reason, const std::vector<std::string>& words) {
    const auto loaded = LoadedPlugin::load(candidate, {});
    ASSERT_FALSE(loaded) << candidate.file;
    EXPECT_EQ(info(loaded.error().reason).name, info(reason).name) << loaded.error().text;
    for (const std::string& word : words)
      EXPECT_NE(to_string(loaded.error()).find(word), std::string::npos) << to_string(loaded.error());
  }

  TempFolder root;
  Variable cache{"XDG_CACHE_HOME", root.path().string()};
};

}  // namespace tenon::test
