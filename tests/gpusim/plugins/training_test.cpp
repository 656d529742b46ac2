// Ten seeded steps give the same bytes on every device that there is, simulated ones among them, in both backends.
#include <nlohmann/json.hpp>

#include "simulated.h"

namespace tenon::test {
namespace {

class Training : public Simulated {
 protected:
  std::string saved(Words run, const Words& device) const {
    const fs::path file = place / "model.safetensors";
    fs::remove(file);
    run.insert(run.end(), {"--seed", "7", "--dtype", "float32", "--save", file});
    const Outcome outcome = train(run, device);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(file);
  }
  /// On this test's device and those that run for real.
  void expect_one_result(const Words& run) const {
    const std::string cpu = saved(run, on("cpu"));
    EXPECT_FALSE(cpu.empty());
    Words kinds{"cpu", "late", kind};
    for (const std::string& other : listed(GPUSIM_OTHERS)) kinds.push_back(other);
    for (const std::string& other : kinds)
      for (const char* backend : {"eager", "compiled"}) {
        Words device = on(other);
        device.insert(device.end(), {"--backend", backend});
        EXPECT_TRUE(saved(run, device) == cpu) << run[0] << " on " << other << ", " << backend << ": other bytes";
      }
  }
  Words models() const {
    Words out;
    for (const auto& row : nlohmann::json::parse(place.tenon({"models", "--json"}).out)) out.push_back(row["model"]);
    return out;
  }
  /// The data set that fits its task.
  std::string data_for(const std::string& model) const {
    for (const auto& row : nlohmann::json::parse(place.tenon({"models", "--json"}).out))
      if (row["model"] == model) return row["task"] == "classification" ? digits : line;
    return {};
  }
};

TEST_P(Training, OfEveryModelGivesTheSameBytesAsEverywhere) {
  for (const std::string& model : models()) expect_one_result({model, "--data", data_for(model), "--steps", "10"});
}

TEST_P(Training, InRandomOrderGivesTheSameBytesToo) {
  place.set("TENON_GPUSIM_LATENESS", "random");
  for (const char* seed : {"1", "2", "3"}) {
    place.set("TENON_GPUSIM_SEED", seed);
    expect_one_result({"mlp", "--data", digits, "--steps", "10", "--hidden", "20", "--batch", "33"});
  }
}

TEST_P(Training, OnWarpsOfEitherWidthGivesTheSameBytes) {
  for (const char* width : {"32", "64"}) {
    place.set("TENON_GPUSIM_WARP", width);
    expect_one_result({"mlp", "--data", digits, "--steps", "10", "--hidden", "20"});
  }
}

TEST_P(Training, OnTheSecondDeviceGivesTheSameBytes) {
  place.set("TENON_GPUSIM_DEVICES", "2");
  const Words run{"linear", "--data", line, "--steps", "5"};
  EXPECT_TRUE(saved(run, on(kind, ":1")) == saved(run, on("cpu")));
}

// Where these kernels have a bug that the simulator knows, the run ends with its report.
TEST_P(Training, WithCheckedKernelsGivesTheSameBytes) {
  use_checked_kernels();
  expect_one_result({"mlp", "--data", digits, "--steps", "2", "--hidden", "8", "--batch", "5"});
  expect_one_result({"linear", "--data", line, "--steps", "2", "--batch", "7"});
}

/// Every optimizer's parameters and state, by its name.
class Modules : public Simulated {
 protected:
  std::map<std::string, std::string> trained(const Words& device) const {
    const fs::path folder = place / "saved";
    fs::remove_all(folder);
    fs::create_directory(folder);
    std::string script = "'" TENON_TEST_BUILD_DIR "/test-programs/train_modules' saved --dtype float32 --seed 3";
    for (const std::string& word : device) script += " '" + word + "'";
    const Outcome outcome = place.shell(script);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) files[entry.path().filename()] = read_file(entry.path());
    return files;
  }
};

TEST_P(Modules, HaveTheSameParametersAndOptimizerStateEverywhere) {
  const auto cpu = trained(on("cpu"));
  EXPECT_EQ(cpu.size(), 7u);
  for (const char* backend : {"eager", "compiled"}) {
    Words device = on(kind);
    device.insert(device.end(), {"--backend", backend});
    const auto files = trained(device);
    ASSERT_EQ(files.size(), cpu.size());
    for (const auto& [optimizer, bytes] : files)
      EXPECT_TRUE(bytes == cpu.at(optimizer)) << optimizer << ", " << backend << ": other bytes";
  }
}

class InOneProcess : public Simulated {};

TEST_P(InOneProcess, TwoDevicesOfOneKindOfEachKindAndTheCpuAgree) {
  place.set("TENON_GPUSIM_DEVICES", "2");
  place.set("TENON_PLUGIN_PATH", TENON_TEST_BUILD_DIR "/lib/tenon-plugins");
  place.write("m.tenon",
              "tenon program 1\nname m\n%x = input x : (rows, 3)\nforward\n  %w = fill() {shape=(3, 2), value=0.5}\n"
              "  %y = matmul(%x, %w)\n  return %y\n");
  std::string script = "'" TENON_TEST_BUILD_DIR "/test-programs/run_sessions' m.tenon cpu " + kind + ":1 " + kind;
  for (const std::string& other : listed(GPUSIM_KINDS))
    if (other != kind) script += " " + other;
  const Outcome outcome = place.shell(script);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> said = lines(outcome.out);
  EXPECT_EQ(said.size(), listed(GPUSIM_KINDS).size() + 2) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, kind + ":1 (gpusim): 3 3 0 0\n")) << outcome.out;
  for (const std::string& one : said) EXPECT_TRUE(one.ends_with(": 3 3 0 0")) << one;
}

INSTANTIATE_TEST_SUITE_P(With, InOneProcess, every_kind, name_of_kind);
INSTANTIATE_TEST_SUITE_P(On, Training, every_kind, name_of_kind);
INSTANTIATE_TEST_SUITE_P(On, Modules, every_kind, name_of_kind);

}  // namespace
}  // namespace tenon::test
