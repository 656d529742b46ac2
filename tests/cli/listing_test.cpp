// The listings, for people and for programs: 6-acceptance K10.
#include <nlohmann/json.hpp>

#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

class Listing : public testing::Test {
 protected:
  std::string text(const std::vector<std::string>& args) {
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  nlohmann::json json(const std::vector<std::string>& args) { return nlohmann::json::parse(text(args)); }

  Workplace place_;
};

TEST_F(Listing, OfDevicesGivesEachOneStateAndAReasonUnlessUsable) {
  const nlohmann::json devices = json({"devices", "--json"});
  ASSERT_GE(devices.size(), 10u);
  for (const auto& device : devices) {
    const std::string state = device["state"];
    EXPECT_TRUE(state == "usable" || state == "no hardware" || state == "plugin failed" || state == "no plugin")
        << device;
    EXPECT_EQ(device["reason"].is_null(), state == "usable") << device;
  }
  EXPECT_EQ(devices[0]["device"], "cpu");
  EXPECT_EQ(devices[0]["state"], "usable");
}

TEST_F(Listing, OfDevicesNamesWhatDeviceTakes) {
  for (const auto& device : json({"devices", "--json"})) {
    const std::string err = place_.tenon({"capsules", "--device", device["device"]}).err;
    EXPECT_EQ(err.find("USAGE"), std::string::npos) << err;
  }
}

TEST_F(Listing, OfDevicesIsAGoldenPage) {
  const fs::path installed = place_.install();
  const std::string page = normalised(text({"devices"}), installed);
  for (const std::string& line : lines(page)) EXPECT_LE(line.size(), 100u) << line;
  expect_golden("devices.txt", page);
}

const std::string fakes = TENON_TEST_BUILD_DIR "/test-plugins/";

/// A folder of plugins that are linked to, as TENON_PLUGIN_PATH takes it.
void link_plugins(const fs::path& folder, const std::vector<std::string>& names) {
  fs::create_directory(folder);
  for (const std::string& name : names)
    for (const auto& entry : fs::directory_iterator(fakes + name))
      fs::create_symlink(entry.path(), folder / entry.path().filename());
}

TEST_F(Listing, OfDevicesAgreesWithTheErrorOfAnUnknownName) {
  const auto names_told = [&] {
    const std::string err = expect_misuse(place_, {"capsules", "--device", "cudaa"});
    const std::size_t begin = err.find("valid names: auto, ") + 19;
    return err.substr(begin, err.find('\n', begin) - begin);
  };
  const auto names_listed = [&] {
    std::string out;
    for (const auto& device : json({"devices", "--json"})) {
      const std::string word = device["device"];
      out += (out.empty() ? "" : ", ") + word.substr(word.find('/') + 1);
    }
    return out;
  };
  EXPECT_EQ(names_told(), names_listed());
  link_plugins(place_ / "vendor", {"late"});
  place_.set("TENON_PLUGIN_PATH", place_ / "vendor");
  EXPECT_EQ(names_told(), names_listed());
  EXPECT_NE(names_told().find(", late"), std::string::npos) << names_told();
}

TEST_F(Listing, OfDevicesHasEachOfTheFourStates) {
  link_plugins(place_ / "vendor", {"late", "absent", "unlicensed", "no_hardware", "crashes"});
  place_.set("TENON_PLUGIN_PATH", place_ / "vendor");
  std::map<std::string, nlohmann::json> devices;
  for (const auto& device : json({"devices", "--json"})) devices[device["device"]] = device;
  EXPECT_EQ(devices["late"]["state"], "usable");
  EXPECT_EQ(devices["absent"]["state"], "no hardware");
  EXPECT_EQ(devices["absent"]["reason"]["text"], "libabsent.so.1 is not installed");
  EXPECT_EQ(devices["absent"]["memory_domain"], "absent memory");
  EXPECT_EQ(devices["no_hardware"]["reason"]["text"], "driver present, 0 devices");
  EXPECT_EQ(devices["unlicensed"]["state"], "plugin failed");
  EXPECT_EQ(devices["crashes"]["reason"]["code"], "PROBE_CRASHED");
  EXPECT_EQ(devices["tpu"]["state"], "no plugin");
  EXPECT_EQ(devices["late"]["providers"][0]["name"], "late");
  EXPECT_GT(devices["late"]["providers"][0]["capsules"], 100);
  EXPECT_FALSE(devices["tpu"].contains("probe_ms"));
}

TEST_F(Listing, OfDevicesVerboseIsAGoldenPage) {
  const fs::path installed = place_.install();
  link_plugins(place_ / "vendor", {"absent", "unlicensed"});
  place_.set("TENON_PLUGIN_PATH", place_ / "vendor");
  std::string page = text({"devices", "--verbose"});
  page = replaced(page.substr(page.find("\n\n") + 2), R"((memory +)[0-9.]+ [A-Z]iB)", "$1SIZE");
  page = replaced(replaced(page, R"(in \d+ ms)", "in N ms"), R"((architecture +)\S+)", "$1MACHINE");
  page = replaced(page, R"(\(\d+ capsules\))", "(N capsules)");
  page = replaced(page, R"((variants +)[^\n]*(\n {17}[^\n]*)*)", "$1THOSE OF THE MACHINE");
  expect_golden("devices_verbose.txt", normalised(replaced_all(page, place_ / "vendor", "/VENDOR"), installed));
}

TEST_F(Listing, OfDevicesProbesAnew) {
  link_plugins(place_ / "vendor", {"crashes"});
  place_.set("TENON_PLUGIN_PATH", place_ / "vendor");
  const auto state = [&] { return json({"plugins", "--json"})["plugins"][0]["state"]; };
  EXPECT_EQ(state(), "found, not probed");
  text({"devices"});
  EXPECT_EQ(state(), "PROBE_CRASHED");
  const std::string verbose = text({"plugins", "--verbose"});
  EXPECT_NE(verbose.find("taken"), std::string::npos) << verbose;
}

TEST_F(Listing, OfDevicesShowsAPluginTooBrokenToNameItsKinds) {
  const std::string file = place_.write("broken.so", "no library");
  const std::string line = lines_that_begin_with(text({"devices", "--plugin", file}), "- ").at(0);
  EXPECT_NE(line.find(" plugin failed "), std::string::npos) << line;
  EXPECT_NE(line.find("broken.so"), std::string::npos) << line;
  const nlohmann::json devices = json({"devices", "--json", "--plugin", file});
  EXPECT_TRUE(devices.back()["device"].is_null()) << devices.back();
  EXPECT_EQ(devices.back()["plugin"]["file"], file);
  EXPECT_EQ(devices.back()["reason"]["code"], "NOT_A_LIBRARY");
  EXPECT_NE(text({"plugins", "--plugin", file}).find("NOT_A_LIBRARY"), std::string::npos);
}

TEST_F(Listing, OfPluginsTellsTheFoldersInOrder) {
  EXPECT_NE(text({"plugins"}).find("cpu.tenon.json"), std::string::npos) << text({"plugins"});
  const nlohmann::json plugins = json({"plugins", "--json"});
  EXPECT_GE(plugins["folders"].size(), 2u);
  EXPECT_EQ(plugins["plugins"][0]["usable"], true);
  const std::string verbose = text({"plugins", "--verbose"});
  for (const auto& folder : plugins["folders"]) EXPECT_NE(verbose.find(std::string(folder["path"])), std::string::npos);
}

TEST_F(Listing, OfPluginsRefusesAFolderOfTheEnvironmentThatIsNotThere) {
  place_.set("TENON_PLUGIN_PATH", "/nonexistent/plugins");
  for (const char* command : {"devices", "plugins", "capsules"})
    EXPECT_NE(expect_failure(place_, {command}).find("/nonexistent/plugins"), std::string::npos);
}

TEST_F(Listing, OfCapsulesTellsWhatEachTakes) {
  const nlohmann::json capsules = json({"capsules", "--op", "linear", "--json"});
  ASSERT_GE(capsules.size(), 1u);
  EXPECT_EQ(capsules[0]["op"], "linear");
  EXPECT_EQ(capsules[0]["numerics"]["strict"], true);
  EXPECT_EQ(capsules[0]["trust"], "checked");
  EXPECT_NE(text({"capsules"}).find("cross_entropy"), std::string::npos);
  EXPECT_NE(text({"capsules", "--op", "linear"}).find("strict: nearest-even"), std::string::npos);
  EXPECT_NE(expect_failure(place_, {"capsules", "--device", "metal"}).find("NO_PLUGIN"), std::string::npos);
}

TEST_F(Listing, OfModelsTellsTheirFlags) {
  const nlohmann::json models = json({"models", "--json"});
  EXPECT_EQ(models[0]["model"], "linear");
  EXPECT_EQ(models[1]["flags"][0], "--hidden");
  EXPECT_NE(text({"models"}).find("--hidden"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
