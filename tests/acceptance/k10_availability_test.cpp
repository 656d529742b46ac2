// K10, availability and device names: one state and one reason for each device that there could be, and names that
// agree wherever they are told. Plugins: a good CPU, a CUDA driver without a device, a vendor's that does not load.
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "scenario.h"

namespace tenon::test {
namespace {

/// A line of `tenon devices`.
struct Line {
  std::string state, about;
};

class K10 : public Scenario {
 protected:
  K10() {
    add_plugin("cuda");
    add_plugin("vendor");
    fs::resize_file(vendors_ / "tenon_vendor.so", fs::file_size(vendors_ / "tenon_vendor.so") / 2);
  }

  std::string devices(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"devices"};
    args.insert(args.end(), more.begin(), more.end());
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }

  /// The lines by device; each device has one.
  std::map<std::string, Line> listed() const {
    static const std::regex form(R"((\S+) +(usable|no hardware|plugin failed|no plugin) +(cpu|gpu|npu|other) +(.*))");
    std::map<std::string, Line> out;
    const std::vector<std::string> all = lines(devices());
    for (std::size_t i = 1; i < all.size(); ++i) {
      std::smatch part;
      const bool fits = std::regex_match(all[i], part, form);
      EXPECT_TRUE(fits && out.try_emplace(part[1], Line{part[2], part[4]}).second) << all[i];
    }
    return out;
  }

  /// The names that an unknown one is answered with.
  std::set<std::string> told() const {
    const std::string err = expect_misuse(place_, run_model("cudaa")), before = "valid names: auto, ";
    const std::size_t begin = err.find(before) + before.size();
    std::string names = err.substr(begin, err.find('\n', begin) - begin);
    std::set<std::string> out;
    for (std::size_t comma; (comma = names.find(", ")) != std::string::npos; names.erase(0, comma + 2))
      out.insert(names.substr(0, comma));
    out.insert(names);
    return out;
  }

  std::set<std::string> listed_names() const {
    std::set<std::string> out;
    for (const auto& [device, line] : listed()) out.insert(device);
    return out;
  }
};

TEST_F(K10, a_EveryKnownDeviceHasOneLineWithOneStateAndAReasonUnlessUsable) {
  const std::map<std::string, Line> lines = listed();
  EXPECT_EQ(lines.at("cpu").state, "usable");
  EXPECT_EQ(lines.at("cuda").state, "no hardware");
  EXPECT_TRUE(lines.at("cuda").about.ends_with("  driver present, 0 devices")) << lines.at("cuda").about;
  EXPECT_EQ(lines.at("vendor").state, "plugin failed");
  expect_words(lines.at("vendor").about, {"tenon_vendor.so"});
  for (const char* device : {"rocm", "vulkan", "metal", "wasm", "tpu", "trainium", "custom", "external"}) {
    EXPECT_EQ(lines.at(device).state, "no plugin") << device;
    EXPECT_TRUE(lines.at(device).about.ends_with("  not installed")) << device;
  }
  EXPECT_EQ(lines.size(), 11u);
}

TEST_F(K10, a_ProgramsReadTheSame) {
  const std::map<std::string, Line> lines = listed();
  const nlohmann::json all = nlohmann::json::parse(devices({"--json"}));
  EXPECT_EQ(all.size(), lines.size());
  for (const auto& device : all) {
    EXPECT_EQ(device["state"], lines.at(device["device"]).state) << device;
    const bool has_reason = !device["reason"].is_null() && device["reason"]["text"] != "";
    EXPECT_NE(has_reason, device["state"] == "usable") << device;
  }
}

TEST_F(K10, b_AnUnknownNameIsAMisuseThatSuggestsTheNearestAndListsAll) {
  const std::string err = expect_misuse(place_, run_model("cudaa"));
  expect_words(err, {"cudaa: no such device name", "did you mean --device cuda?"});
  EXPECT_TRUE(told().contains("cuda"));
}

TEST_F(K10, c_ADeviceWithoutHardwareIsRefusedInTheProbesOwnWords) {
  const std::string err = expect_failure(place_, run_model("cuda"));
  expect_words(err, {"cuda", "driver present, 0 devices", "reason: NO_DEVICE"});
  expect_no_words(err, {"no such device name"});
}

TEST_F(K10, d_AKnownNameWithoutPluginIsNotAnUnknownName) {
  const std::string err = expect_failure(place_, run_model("metal"));
  expect_words(err, {"metal: no plugin for it is installed", "usable devices: cpu, cuda (not probed)\n",
                     "reason: NO_PLUGIN", "or --device cpu\n"});
  expect_no_words(err, {"no such device name", "did you mean"});
  devices();  // looks, and finds no hardware behind cuda
  expect_words(expect_failure(place_, run_model("metal")), {"usable devices: cpu\n"});
}

TEST_F(K10, TheNamesToldAndListedAgreeAlsoWithAPluginThatIsAdded) {
  EXPECT_EQ(told(), listed_names());
  EXPECT_FALSE(told().contains("late"));
  add_plugin("late");
  EXPECT_EQ(told(), listed_names());
  EXPECT_TRUE(told().contains("late"));
  for (const std::string& device : told()) {
    const Outcome outcome = place_.tenon(run_model(device));
    EXPECT_NE(outcome.status, 2) << outcome.err;  // every name that is told is one that can be written
  }
}

}  // namespace
}  // namespace tenon::test
