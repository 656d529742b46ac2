// Plugins with the same names in them: ids, capsules, variables. Each keeps to its own, and what comes second is told.
#include "plugin_copy.h"
#include "tenon/registry.h"

namespace tenon::test {
namespace {

class SameNames : public PluginCopies {};

TEST_F(SameNames, OfTwoPluginsOfOneIdTheFirstServesAndTheSecondIsShadowed) {
  const auto first = copy("flawless", "first"), second = copy("flawless", "second");
  const Catalogue catalogue = scan({first, second});
  const auto found = find_plugin({"", "flawless", 0}, catalogue);
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->file, first);
  const Candidate& later = catalogue.candidates()[1];
  EXPECT_TRUE(later.shadowed());
  expect_refused(later, Reason::SHADOWED,
                 {second.string() + ": the plugin 'faulty/flawless' of " + first.string() + " comes first",
                  "next: remove " + first.string() + " to use this one"});
}

TEST_F(SameNames, OfTwoCapsulesOfOneNameTheLaterPluginsIsLeftOut) {
  const auto earlier = load(built / "misbehaves/misbehaves.tenon.json"), later = load(built / "twin/twin.tenon.json");
  ASSERT_TRUE(earlier && later);
  auto device = Device::open(earlier, "misbehaves", 0);
  ASSERT_TRUE(device) << device.error().text;
  const Registry registry(*device, {earlier, later}, {.provider = {}, .assurance = Assurance::external});
  const TensorType type{DType::f32, Shape{2, 3}};
  const Choice choice = registry.choose({Op::neg, NoAttributes{}, {type}, {type}});
  EXPECT_EQ(choice.plugin, earlier.get());
  ASSERT_EQ(choice.rejected.size(), 1u);
  EXPECT_EQ(choice.rejected[0].reason, Reason::DUPLICATE_CAPSULE);
  EXPECT_EQ(choice.rejected[0].capsule, "faulty.neg");
  EXPECT_EQ(choice.rejected[0].detail, "misbehaves");
}

/// faulty.h keeps each plugin's tables in inline variables.
TEST_F(SameNames, PluginsWithInlineVariablesOfTheSameNamesHaveTheirOwn) {
  const std::vector<std::string> names{"twin", "misbehaves", "flawless"};
  for (const std::string& name : names) ASSERT_TRUE(load(built / name / (name + ".tenon.json")));
  for (const std::string& name : names) {
    const auto plugin = load(built / name / (name + ".tenon.json"));
    EXPECT_EQ(plugin->id(), name);
    const auto devices = enumerate_devices(*plugin);
    ASSERT_TRUE(devices && devices->size() == 1);
    EXPECT_EQ(devices->front().kind, name);
  }
}

TEST_F(SameNames, PluginsExportNoVariableThatAnotherCouldTake) {
  for (const std::string name : {"twin", "misbehaves", "flawless"}) {
    const std::string listing = (root / name).string(), file = library_of(built / name / (name + ".tenon.json"));
    ASSERT_EQ(std::system((TENON_TEST_NM " -D --defined-only '" + file + "' >'" + listing + "'").c_str()), 0);
    std::ifstream stream(listing);
    const std::string symbols{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(symbols.find(" tenon_plugin_query"), symbols.npos) << symbols;
    for (const char* variable : {"device_table", "plugin_table", "4host"})
      EXPECT_EQ(symbols.find(variable), symbols.npos) << symbols;
  }
}

}  // namespace
}  // namespace tenon::test
