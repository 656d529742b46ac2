// The simulator's own ways of running: random lateness, either width of warps, checked kernels, several devices. Each
// gives the CPU's bytes. That plain training does, tests/devices has.
#include "simulated.h"

namespace tenon::test {
namespace {

class Training : public Simulated {
 protected:
  std::string saved(const Words& run, const Words& device) const {
    const fs::path file = place / "model.safetensors";
    fs::remove(file);
    const Outcome outcome = train(run, Words{"--seed", "7", "--dtype", "float32", "--save", file} + device);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(file);
  }
  void expect_the_cpus_bytes(const Words& run) const {
    const std::string cpu = saved(run, on("cpu"));
    EXPECT_FALSE(cpu.empty());
    for (const char* backend : {"eager", "compiled"})
      EXPECT_TRUE(saved(run, on(kind) + Words{"--backend", backend}) == cpu) << run[0] << ", " << backend;
  }
};

TEST_P(Training, InRandomOrderGivesTheSameBytes) {
  place.set("TENON_GPUSIM_LATENESS", "random");
  for (const char* seed : {"1", "2", "3"}) {
    place.set("TENON_GPUSIM_SEED", seed);
    expect_the_cpus_bytes({"mlp", "--data", digits, "--steps", "10", "--hidden", "20", "--batch", "33"});
  }
}

TEST_P(Training, OnWarpsOfEitherWidthGivesTheSameBytes) {
  for (const char* width : {"32", "64"}) {
    place.set("TENON_GPUSIM_WARP", width);
    expect_the_cpus_bytes({"mlp", "--data", digits, "--steps", "10", "--hidden", "20"});
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
  for (const std::string& width : widths()) {
    place.set("TENON_GPUSIM_WARP", width);
    expect_the_cpus_bytes({"mlp", "--data", digits, "--steps", "2", "--hidden", "8", "--batch", "5"});
    expect_the_cpus_bytes({"linear", "--data", line, "--steps", "2", "--batch", "7"});
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
  for (const std::string& other : listed(DEVICES_SIMULATED))
    if (other != kind) script += " " + other;
  const Outcome outcome = place.shell(script);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> said = lines(outcome.out);
  EXPECT_EQ(said.size(), listed(DEVICES_SIMULATED).size() + 2) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, kind + ":1 (gpusim): 3 3 0 0\n")) << outcome.out;
  for (const std::string& one : said) EXPECT_TRUE(one.ends_with(": 3 3 0 0")) << one;
}

INSTANTIATE_TEST_SUITE_P(With, InOneProcess, every_kind, name_of_kind);
INSTANTIATE_TEST_SUITE_P(On, Training, every_kind, name_of_kind);

}  // namespace
}  // namespace tenon::test
