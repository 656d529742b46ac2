// Devices of others: a third party's that is always late, one without hardware, one that crashes when it is probed.
#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

std::string folder_of(const std::string& plugin) {
  return std::string(TENON_TEST_BUILD_DIR) + "/test-plugins/" + plugin;
}

class OtherDevices : public testing::Test {
 protected:
  void SetUp() override {
    place_.set("TENON_PLUGIN_PATH", folder_of("late") + ":" + folder_of("no_hardware") + ":" + folder_of("crashes"));
  }
  std::vector<std::string> train(const std::vector<std::string>& more) {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "2", "--show-backend"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(OtherDevices, GiveTheSameBytesAndResults) {
  const Outcome cpu = place_.tenon(train({"--device", "cpu", "--save", (place_ / "cpu").string()}));
  const Outcome late = place_.tenon(train({"--device", "late", "--save", (place_ / "late").string()}));
  ASSERT_EQ(late.status, 0) << late.err;
  EXPECT_EQ(cpu.out, late.out);
  EXPECT_EQ(read_file(place_ / "cpu"), read_file(place_ / "late"));
  EXPECT_NE(read_file(place_ / "late"), "");
}

TEST_F(OtherDevices, AreNamedInTheReportAsDeviceTakesThem) {
  const Outcome outcome = place_.tenon(train({"--device", "late"}));
  for (const std::string& line : lines_that_begin_with(outcome.err, "capsule: "))
    EXPECT_NE(line.find(" on fakes/late:0 |"), std::string::npos) << line;
  EXPECT_NE(outcome.err.find("trusted-external"), std::string::npos);
  EXPECT_EQ(place_.tenon(train({"--device", "fakes/late:0"})).status, 0);
}

TEST_F(OtherDevices, OutOfMemoryAreAnOrdinaryFailure) {
  const std::string saved = (place_ / "x").string();
  std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "128", "--show-backend", "--save", saved};
  args.insert(args.end(), {"--device", "late", "--option", "late.memory_bytes=20000"});
  const std::string err = expect_failure(place_, args);
  EXPECT_NE(err.find("OUT_OF_MEMORY"), std::string::npos) << err;
  EXPECT_GT(count(err, "capsule: "), 0u) << err;  // it ran out while it trained
}

// Room for the parameters and their initial values, not for adam's two moments beside them.
TEST_F(OtherDevices, RunNothingWhereTheOptimizerCannotBeHad) {
  std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "128", "--show-backend"};
  args.insert(args.end(), {"--device", "late", "--option", "late.memory_bytes=9000"});
  const std::string err = expect_failure(place_, args);
  EXPECT_NE(err.find("OUT_OF_MEMORY"), std::string::npos) << err;
  EXPECT_EQ(count(err, "capsule: "), 0u) << err;
}

TEST_F(OtherDevices, AreRefusedWhereOnlyCheckedCapsulesMayServe) {
  const std::string err = expect_failure(place_, train({"--device", "late", "--assurance", "checked"}));
  EXPECT_NE(err.find("its trust is below what --assurance asks"), std::string::npos) << err;
  EXPECT_EQ(count(err, "capsule: "), 0u);
}

TEST_F(OtherDevices, HaveOneStateEach) {
  const std::string table = place_.tenon({"devices"}).out;
  const auto line = [&](const std::string& device) { return lines_that_begin_with(table, device + " ").at(0); };
  EXPECT_NE(line("late").find(" usable "), std::string::npos) << table;
  EXPECT_NE(line("late").find("(software device)"), std::string::npos) << table;
  EXPECT_NE(line("no_hardware").find(" no hardware "), std::string::npos) << table;
  EXPECT_NE(line("no_hardware").find("driver present, 0 devices"), std::string::npos) << table;
  EXPECT_NE(line("crashes").find(" plugin failed "), std::string::npos) << table;
}

TEST_F(OtherDevices, ArePassedOverByAutoWithAReason) {
  const auto unknown = lines_that_begin_with(place_.tenon(train({})).err, "auto:");
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_NE(unknown[0].find("crashes (software device, use --device crashes to force)"), std::string::npos)
      << unknown[0];
  place_.tenon({"devices"});  // probes
  const auto line = lines_that_begin_with(place_.tenon(train({})).err, "auto:");
  ASSERT_EQ(line.size(), 1u);
  EXPECT_NE(line[0].find("auto: cpu:0 taken"), std::string::npos);
  EXPECT_NE(line[0].find("late (software device, use --device late to force)"), std::string::npos) << line[0];
  EXPECT_NE(line[0].find("no_hardware (no hardware)"), std::string::npos) << line[0];
  EXPECT_NE(line[0].find("crashes (the plugin crashed while it was probed)"), std::string::npos) << line[0];
}

TEST_F(OtherDevices, HaveOneNameEvenWhereTheirPluginIsDamaged) {
  place_.write("gone.tenon.json",
               replaced(read_file(folder_of("late") + "/late.tenon.json"), "tenon_late.so", "gone.so"));
  place_.set("TENON_PLUGIN_PATH", (place_ / "").string());
  EXPECT_EQ(lines_that_begin_with(place_.tenon({"devices"}).out, "late ").size(), 1u);
  const std::string line = lines_that_begin_with(place_.tenon(train({})).err, "auto:").at(0);
  EXPECT_NE(line.find("passed over: late ("), std::string::npos) << line;
}

TEST_F(OtherDevices, WithoutHardwareAreRefusedInThePluginsWords) {
  EXPECT_NE(expect_failure(place_, train({"--device", "no_hardware"})).find("driver present, 0 devices"),
            std::string::npos);
}

TEST_F(OtherDevices, AreValidNamesOfTheUsageError) {
  EXPECT_NE(expect_misuse(place_, train({"--device", "lat"})).find("did you mean --device late?"), std::string::npos);
  Workplace without;
  EXPECT_EQ(expect_misuse(without, train({"--device", "lat"})).find("late"), std::string::npos);
}

TEST_F(OtherDevices, AreListedWithTheirPluginEvenIfTheyCrash) {
  const std::string plugins = place_.tenon({"plugins"}).out;
  for (const char* name : {"late ", "no_hardware ", "crashes ", "cpu "})
    EXPECT_EQ(lines_that_begin_with(plugins, name).size(), 1u) << plugins;
}

}  // namespace
}  // namespace tenon::test
