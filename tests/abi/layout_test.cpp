// The recorded layouts of the ABI, one file for each minor version: each only appends to the one before.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "tenon/plugin.h"

namespace tenon::test {
namespace {

namespace fs = std::filesystem;

const fs::path sdk = fs::path(TENON_TEST_SOURCE_DIR) / "sdk";

/// "tenon_devices.copy" with "144 8", and "tenon_devices" with its size.
using Layout = std::map<std::string, std::string>;

Layout read_layout(const fs::path& file) {
  Layout out;
  std::ifstream stream(file);
  std::string name, place;
  while (stream >> name && std::getline(stream, place)) out[name] = place.substr(1);
  return out;
}

/// Oldest first.
std::vector<Layout> recorded() {
  std::vector<Layout> out;
  for (int minor = 1;; ++minor) {
    const fs::path file = sdk / "abi" / ("v0." + std::to_string(minor) + ".layout");
    if (!fs::exists(file)) return out;
    out.push_back(read_layout(file));
  }
}

/// The structs that plugin.h calls FROZEN.
std::set<std::string> frozen_structs() {
  std::set<std::string> out;
  std::ifstream stream(sdk / "include/tenon/plugin.h");
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("typedef ") || line.find("/* FROZEN") == std::string::npos) continue;
    const std::size_t begin = line.find("tenon_");
    out.insert(line.substr(begin, line.find(' ', begin) - begin));
  }
  return out;
}

bool is_struct(const std::string& name) { return name.find('.') == std::string::npos; }

/// What `later` does to `earlier` that it may not.
std::vector<std::string> changes(const Layout& earlier, const Layout& later) {
  std::vector<std::string> out;
  const std::set<std::string> frozen = frozen_structs();
  for (const auto& [name, place] : earlier) {
    const auto now = later.find(name);
    if (now == later.end())
      out.push_back(name + " is gone");
    else if (is_struct(name) && !frozen.contains(name) && std::stoul(now->second) < std::stoul(place))
      out.push_back(name + " shrank to " + now->second);
    else if ((!is_struct(name) || frozen.contains(name)) && now->second != place)
      out.push_back(name + " moved from " + place + " to " + now->second);
  }
  return out;
}

TEST(Layout, IsRecordedForEveryMinorVersion) {
  EXPECT_EQ(recorded().size(), TENON_ABI & 0xffff);
  EXPECT_EQ(frozen_structs().size(), 12u);
}

TEST(Layout, OfAMinorVersionAppendsToTheOneBefore) {
  const auto layouts = recorded();
  for (std::size_t i = 1; i < layouts.size(); ++i) {
    EXPECT_EQ(changes(layouts[i - 1], layouts[i]), std::vector<std::string>()) << "from 0." << i << " to 0." << i + 1;
    EXPECT_NE(layouts[i - 1], layouts[i]);
  }
}

TEST(Layout, HasAFingerprintForEveryMinorVersionAndNoOther) {
  std::set<std::uint64_t> prints;
  for (std::uint32_t minor = 1; minor <= (TENON_ABI & 0xffff); ++minor)
    prints.insert(tenon_abi_fingerprint(TENON_ABI_VERSION(0, minor)));
  EXPECT_EQ(prints.size(), TENON_ABI & 0xffff);
  EXPECT_FALSE(prints.contains(0));
  EXPECT_EQ(tenon_abi_fingerprint(TENON_ABI + 1), 0u);
}

TEST(Layout, SeesEveryKindOfChange) {
  const Layout before{{"tenon_devices", "16"}, {"tenon_devices.size", "0 4"}, {"tenon_ref", "16"}};
  const auto change = [&](const std::string& name, const std::string& place) {
    Layout after = before;
    after[name] = place;
    return changes(before, after);
  };
  EXPECT_EQ(change("tenon_devices", "24"), std::vector<std::string>());
  EXPECT_EQ(change("tenon_devices.added", "16 8"), std::vector<std::string>());
  EXPECT_EQ(change("tenon_devices", "8"), std::vector<std::string>{"tenon_devices shrank to 8"});
  EXPECT_EQ(change("tenon_devices.size", "4 4"), std::vector<std::string>{"tenon_devices.size moved from 0 4 to 4 4"});
  EXPECT_EQ(change("tenon_ref", "24"), std::vector<std::string>{"tenon_ref moved from 16 to 24"});
  EXPECT_EQ(changes(before, {}).size(), 3u);
}

}  // namespace
}  // namespace tenon::test
