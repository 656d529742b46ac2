// Provider cublas of the plugin cuda, on a cuBLAS of the simulator's: what it computes, when it is chosen, and what is
// said where it cannot be had.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/run_tenon.h"

namespace tenon::test {
namespace {

using Words = std::vector<std::string>;

const std::string plugin_file = TENON_TEST_BUILD_DIR "/lib/tenon-plugins/cuda.tenon.json";
const std::string digits = TENON_TEST_SOURCE_DIR "/examples/data/digits.csv";
const std::string line = TENON_TEST_SOURCE_DIR "/examples/data/line.csv";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using Values = std::map<std::string, std::vector<float>>;

/// The tensors of binary32 in a file of safetensors.
Values values_of(const std::string& file) {
  Values values;
  std::uint64_t header_bytes = 0;
  if (file.size() < sizeof header_bytes) return values;
  std::memcpy(&header_bytes, file.data(), sizeof header_bytes);
  const auto header = nlohmann::json::parse(file.substr(sizeof header_bytes, header_bytes));
  for (const auto& [name, tensor] : header.items()) {
    if (!tensor.contains("dtype") || tensor["dtype"] != "F32") continue;
    const std::size_t begin = tensor["data_offsets"][0], end = tensor["data_offsets"][1];
    std::vector<float>& to = values[name];
    to.resize((end - begin) / sizeof(float));
    std::memcpy(to.data(), file.data() + sizeof header_bytes + header_bytes + begin, end - begin);
  }
  return values;
}

double largest_difference(const Values& found, const Values& expected) {
  double largest = found.size() == expected.size() ? 0 : INFINITY;
  for (const auto& [name, values] : expected) {
    const auto other = found.find(name);
    if (other == found.end() || other->second.size() != values.size()) return INFINITY;
    for (std::size_t i = 0; i < values.size(); ++i)
      largest = std::max(largest, std::fabs(double(other->second[i]) - double(values[i])));
  }
  return largest;
}

class Cublas : public testing::Test {
 protected:
  Cublas() {
    place.set("LD_LIBRARY_PATH", GPUSIM_FOLDER);
    place.set("TENON_GPUSIM_KERNELS", GPUSIM_PLAIN);
    place.set("TENON_GPUSIM_LEAKS", "error");
  }
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Outcome fast(const Words& words, const std::string& provider = "prefer:cublas") const {
    return place.tenon(
        with(words, {"--dtype", "float32:fast", "--provider", provider, "--plugin", plugin_file, "--device", "cuda"}));
  }
  Outcome train(const Words& more = {}, const std::string& provider = "prefer:cublas") const {
    Words words{"train", "mlp", "--data", digits, "--seed", "7"};
    if (std::ranges::find(more, "--steps") == more.end()) words = with(words, {"--steps", "5", "--hidden", "24"});
    return fast(with(words, more), provider);
  }
  Values trained(const std::string& provider) const {
    const fs::path file = place / "model.safetensors";
    const Outcome outcome = train({"--save", file.string()}, provider);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return values_of(read_file(file));
  }
  Outcome explain(const std::string& provider = "prefer:cublas") const {
    return fast({"explain", "--op", "matmul", "--shape", "64x32,32x16"}, provider);
  }
  /// It cannot be had, for this reason: the products are others', and all is well.
  void expect_declined(const std::string& why) const {
    const Outcome explained = explain();
    EXPECT_TRUE(contains(explained.out, "capsule   cuda.native.fused.matmul.f32")) << explained.out << explained.err;
    EXPECT_TRUE(contains(explained.out, why)) << explained.out << explained.err;
    const Outcome outcome = train({"--show-backend"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "provider cublas")) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "test accuracy")) << outcome.out;
  }
  /// What failed as planned was to give something back: then that is still there, and rightly complained of.
  static bool was_giving_back(const std::string& err) {
    const std::size_t end = err.find(" failed as planned");
    if (end == std::string::npos) return false;
    const std::size_t begin = err.rfind(' ', end - 1) + 1;
    const std::string function = err.substr(begin, end - begin);
    const auto names = [&](const char* word) { return contains(function, word); };
    return names("Free") || names("Destroy") || names("Release") || names("Unload");
  }
  int expect_ordinary_ends(int first, int step, int status);
  /// A file that the loader takes for no library, in front of all that are installed.
  void hide_libraries() {
    for (const char* name : {"libcublas.so.13", "libcublas.so.12"}) place.write(name, "");
    place.set("LD_LIBRARY_PATH", (place / "").string() + ":" GPUSIM_FOLDER);
  }

  Workplace place;
};

TEST_F(Cublas, TrainsToWhatTheNativeProductsTrainTo) {
  const Values found = trained("prefer:cublas"), expected = trained("prefer:native");
  EXPECT_EQ(expected.size(), 4u);
  EXPECT_LT(largest_difference(found, expected), 2e-5);
  EXPECT_GT(largest_difference(found, expected), 0) << "the sums have the native order: was cuBLAS called?";
}

TEST_F(Cublas, TrainsInRandomOrderToo) {
  const Values expected = trained("prefer:cublas");
  place.set("TENON_GPUSIM_LATENESS", "random");
  EXPECT_EQ(largest_difference(trained("prefer:cublas"), expected), 0);
}

TEST_F(Cublas, ServesBothBackendsAlike) {
  const Values eager = trained("prefer:cublas");
  place.set("TENON_BACKEND", "compiled");
  EXPECT_EQ(largest_difference(trained("prefer:cublas"), eager), 0);
}

TEST_F(Cublas, IsShownWhereItServes) {
  const Outcome outcome = train({"--show-backend"}, "first");
  EXPECT_TRUE(contains(outcome.err, "cuda.cublas.linear.f32 on cuda:0")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "cuda.cublas.matmul.f32 on cuda:0")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "provider cublas, checked")) << outcome.err;
}

TEST_F(Cublas, IsListedAmongTheCapsules) {
  const Outcome outcome = place.tenon({"capsules", "--plugin", plugin_file, "--device", "cuda"});
  for (const char* capsule :
       {"cuda.cublas.matmul.f32", "cuda.cublas.matmul.f64", "cuda.cublas.linear.f32", "cuda.cublas.linear.f64"})
    EXPECT_TRUE(contains(outcome.out, capsule)) << outcome.out;
}

TEST_F(Cublas, IsChosenByTheProviderPolicy) {
  EXPECT_TRUE(contains(explain("first").out, "capsule   cuda.cublas.matmul.f32, first of 3 admissible"));
  EXPECT_TRUE(contains(explain("prefer:cublas").out, "capsule   cuda.cublas.matmul.f32, preferred provider"));
  EXPECT_TRUE(contains(explain("only:cublas").out, "capsule   cuda.cublas.matmul.f32, only admissible"));
  EXPECT_TRUE(contains(explain("prefer:native").out, "capsule   cuda.native.fused.matmul.f32, preferred provider"));
}

TEST_F(Cublas, AloneServesNoModelThatNeedsMoreThanProducts) {
  const Outcome outcome = train({}, "only:cublas");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "cuda.native.relu.f32")) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "\n  linear(")) << outcome.err;
}

TEST_F(Cublas, IsNeverStrict) {
  const Outcome outcome = place.tenon({"explain", "--op", "matmul", "--shape", "4x4,4x4", "--dtype", "float32",
                                       "--provider", "prefer:cublas", "--plugin", plugin_file, "--device", "cuda"});
  EXPECT_TRUE(contains(outcome.out, "capsule   cuda.native.matmul.f32")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "NOT_STRICT")) << outcome.out;
}

TEST_F(Cublas, IsNotOpenedForStrictNumerics) {
  place.set("TENON_GPUSIM_FAIL", "cublasCreate:1:1");
  const Outcome outcome = place.tenon({"train", "linear", "--data", line, "--steps", "2", "--dtype", "float32",
                                       "--plugin", plugin_file, "--device", "cuda"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "failed as planned")) << outcome.err;
}

// -- where it cannot be had -----------------------------------------------------------------------------------------

TEST_F(Cublas, ThatCannotBeOpenedIsDeclinedInTheLoadersWords) {
  hide_libraries();
  expect_declined("libcublas.so.13: file too short: cuBLAS is not installed, or not visible to this process");
}

TEST_F(Cublas, ThatIsTooOldIsDeclinedByItsVersion) {
  place.set("TENON_GPUSIM_CUBLAS_VERSION", "11.9");
  expect_declined("libcublas.so.13 is of version 11.9: this plugin needs cuBLAS 12.0 or newer");
}

TEST_F(Cublas, ThatLacksAFunctionIsDeclinedByItsName) {
  place.set("LD_LIBRARY_PATH", GPUSIM_FOLDER "/lacking:" GPUSIM_FOLDER);
  expect_declined("libcublas.so.13 has no function cublasDgemm_v2_64: this plugin needs cuBLAS 12.0 or newer");
}

TEST_F(Cublas, ThatCannotBeginIsDeclinedInItsOwnWords) {
  place.set("TENON_GPUSIM_FAIL", "cublasCreate:1:1");
  expect_declined("[cuda:0] cublasCreate: the library was not initialized (1)");
}

TEST_F(Cublas, ThatCannotBeConfiguredIsDeclinedAndGivesBackWhatItHad) {
  for (const char* function : {"cublasSetMathMode", "cublasSetStream", "cublasSetWorkspace"}) {
    place.set("TENON_GPUSIM_FAIL", std::string(function) + ":1:7");
    expect_declined(std::string("[cuda:0] ") + function +
                    ": an unsupported value or parameter was passed to the function (7)");
  }
}

TEST_F(Cublas, WithoutMemoryForItsWorkspaceIsDeclined) {
  place.set("CUBLAS_WORKSPACE_CONFIG", "");  // as much as is recommended
  place.set("TENON_GPUSIM_MEMORY_MIB", "16");
  expect_declined("[cuda:0] out of memory: 33554432 bytes asked for");
}

// -- where it fails -------------------------------------------------------------------------------------------------

TEST_F(Cublas, WhoseProductFailsEndsTheRunInItsOwnWords) {
  place.set("TENON_GPUSIM_FAIL", "cublasSgemm:3:13");
  const Outcome outcome = train();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "[cuda:0] cublasGemm: the function failed to launch on the GPU (13)"))
      << outcome.err;
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

/// Every step-th call of everybody's from the first one; answers how many there were.
int Cublas::expect_ordinary_ends(int first, int step, int status) {
  int failed = 0;
  for (int call = first; !HasFailure(); call += step, ++failed) {
    SCOPED_TRACE("call " + std::to_string(call) + " fails with " + std::to_string(status));
    place.set("TENON_GPUSIM_FAIL", "*:" + std::to_string(call) + ":" + std::to_string(status));
    const Outcome outcome = train({"--steps", "2", "--hidden", "8", "--batch", "16"});
    if (outcome.status == 0 && !contains(outcome.err, " failed as planned")) break;
    if (outcome.status == 86 && was_giving_back(outcome.err)) continue;
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << outcome.status << "\n" << outcome.err;
    if (outcome.status == 1) {
      EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
    }
  }
  return failed;
}

TEST_F(Cublas, FailuresOfAnyCallEndOrdinarily) {
  const bool all = std::getenv("GPUSIM_FAILURES") != nullptr;
  for (const int status : {999, 2, 719, 1}) EXPECT_GT(expect_ordinary_ends(1, all ? 1 : 149, status), 4);
}

TEST_F(Cublas, ThatIsOutOfMemoryIsToldAsThat) {
  place.set("TENON_GPUSIM_FAIL", "cublasSgemm:3:3");
  const Outcome outcome = train();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "reason: OUT_OF_MEMORY")) << outcome.err;
}

TEST_F(Cublas, WhoseDeviceIsLostIsToldAsThat) {
  place.set("TENON_GPUSIM_FAIL", "cublasSgemm:3:719");
  const Outcome outcome = train();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "[cuda:0] cublasGemm: unspecified launch failure (719)")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "reason: DEVICE_LOST")) << outcome.err;
}

}  // namespace
}  // namespace tenon::test
