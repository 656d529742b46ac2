// Training on the fake Metal gives the CPU's bytes, in both backends and every way of running.
#include <nlohmann/json.hpp>

#include "metal.h"

namespace tenon::test {
namespace {

class Training : public OnFakeMetal {
 protected:
  std::string saved(const Words& run, const Words& device) const {
    const fs::path file = place / "model.safetensors";
    fs::remove(file);
    const Outcome outcome =
        place.tenon(Words{"train"} + run + Words{"--seed", "7", "--dtype", "float32", "--save", file} + device);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(file);
  }
  void expect_the_cpus_bytes(const Words& run, const std::string& ordinal = {}) const {
    const std::string cpu = saved(run, {"--device", "cpu"});
    EXPECT_FALSE(cpu.empty());
    for (const char* backend : {"eager", "compiled"})
      EXPECT_TRUE(saved(run, on_metal(ordinal) + Words{"--backend", backend}) == cpu) << run[0] << ", " << backend;
  }
  static inline const Words small_mlp{"mlp", "--data", digits, "--steps", "5", "--hidden", "20", "--batch", "33"};
};

TEST_F(Training, OfEveryModelGivesTheCpusBytes) {
  const auto models = nlohmann::json::parse(place.tenon({"models", "--json"}).out);
  EXPECT_GE(models.size(), 2u);
  for (const auto& row : models) {
    const std::string data = row["task"] == "classification" ? digits : line;
    expect_the_cpus_bytes({row["model"].get<std::string>(), "--data", data, "--steps", "20"});
  }
}

TEST_F(Training, OfAModuleByEveryOptimizerGivesTheCpusBytes) {
  const std::string program = TENON_TEST_BUILD_DIR "/test-programs/train_modules";
  const auto train = [&](const std::string& folder, const Words& device) {
    fs::create_directory(place / folder);
    std::string script = "'" + program + "' " + folder + " 3";
    for (const std::string& word : device) script += " '" + word + "'";
    const Outcome outcome = place.shell(script + " --dtype float32");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  };
  train("cpu", {"--device", "cpu"});
  train("metal", on_metal());
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(place / "cpu")) {
    EXPECT_TRUE(read_file(entry.path()) == read_file(place / "metal" / entry.path().filename())) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 7u);
}

TEST_F(Training, InRandomOrderGivesTheCpusBytes) {
  place.set("TENON_GPUSIM_LATENESS", "random");
  for (int seed = 1; seed <= (is_whole() ? 20 : 2); ++seed) {
    place.set("TENON_GPUSIM_SEED", std::to_string(seed));
    expect_the_cpus_bytes(small_mlp);
  }
}

TEST_F(Training, AtOnceGivesTheCpusBytes) {
  place.set("TENON_GPUSIM_LATENESS", "at_once");
  expect_the_cpus_bytes(small_mlp);
}

TEST_F(Training, InPrivateMemoryGivesTheCpusBytes) {
  place.set("TENON_GPUSIM_UNIFIED", "0");
  expect_the_cpus_bytes(small_mlp);
}

TEST_F(Training, ByKernelsThatTheDeviceCompilesGivesTheCpusBytes) {
  place.set("TENON_GPUSIM_METALLIB", "0");
  expect_the_cpus_bytes(small_mlp);
}

TEST_F(Training, OnSimdGroupsOfAnyWidthGivesTheCpusBytes) {
  place.set("TENON_GPUSIM_WARP", "64");
  expect_the_cpus_bytes(small_mlp);
}

TEST_F(Training, OnTheSecondDeviceGivesTheCpusBytes) {
  place.set("TENON_GPUSIM_DEVICES", "2");
  expect_the_cpus_bytes({"linear", "--data", line, "--steps", "5"}, ":1");
}

// Where these kernels have a bug that the simulator knows, the run ends with its report.
TEST_F(Training, WithCheckedKernelsGivesTheCpusBytes) {
  use_checked_kernels();
  expect_the_cpus_bytes({"mlp", "--data", digits, "--steps", "2", "--hidden", "8", "--batch", "5"});
}

// With any numerics products come from the fused kernels, and the loss stays near the strict one.
TEST_F(Training, WithFastNumericsUsesTheFastKernels) {
  const Words run{"mlp", "--data", digits, "--steps", "20", "--seed", "7", "--show-backend"};
  const Outcome fast = place.tenon(Words{"train"} + run + on_metal() + Words{"--dtype", "float32:fast"}),
                strict = place.tenon(Words{"train"} + run + on_metal() + Words{"--dtype", "float32"});
  EXPECT_EQ(fast.status, 0) << fast.err;
  for (const char* op : {"matmul", "linear"}) {
    EXPECT_TRUE(contains(fast.err, "metal.fast." + std::string(op) + ".f32 on metal:0")) << fast.err;
    EXPECT_TRUE(contains(strict.err, "metal.strict." + std::string(op) + ".f32 on metal:0")) << strict.err;
  }
  const auto loss = [](const Outcome& of) { return std::stod(of.out.substr(of.out.find("loss ") + 5)); };
  EXPECT_NEAR(loss(fast), loss(strict), 1e-4 * loss(strict));
}

TEST_F(Training, OnTwoDevicesAndTheCpuInOneProcessAgrees) {
  place.set("TENON_GPUSIM_DEVICES", "2");
  place.set("TENON_PLUGIN_PATH", METAL_PLUGINS "/metal:" TENON_TEST_BUILD_DIR "/lib/tenon-plugins");
  place.write("m.tenon",
              "tenon program 1\nname m\n%x = input x : (rows, 3)\nforward\n  %w = fill() {shape=(3, 2), value=0.5}\n"
              "  %y = matmul(%x, %w)\n  return %y\n");
  const Outcome outcome =
      place.shell("'" TENON_TEST_BUILD_DIR "/test-programs/run_sessions' m.tenon cpu metal:1 metal");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(lines(outcome.out).size(), 3u) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "metal:1 (gpusim): 3 3 0 0\n")) << outcome.out;
  for (const std::string& one : lines(outcome.out)) EXPECT_TRUE(one.ends_with(": 3 3 0 0")) << one;
}

}  // namespace
}  // namespace tenon::test
