// One seed, one file: whatever device, thread count, compiler and optimisation level. The recorded hashes hold for
// every build of the suite (g++ -O3, sanitized, clang++, -O0), which is how those are compared with each other.
#include <gtest/gtest.h>

#include <cstdio>

#include "run_tenon.h"

namespace tenon::test {
namespace {

std::string sha256(const fs::path& file) {
  const std::string command = "sha256sum '" + file.string() + "'";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  char digest[65] = {};
  const std::size_t read = std::fread(digest, 1, 64, pipe);
  ::pclose(pipe);
  return {digest, read};
}

struct SeededRun {
  std::vector<std::string> model;  // the model and its flags
  std::string hash;
};

const SeededRun runs[] = {
    {{"mlp", "--data", TENON_TEST_SOURCE_DIR "/examples/data/digits.csv", "--seed", "7", "--steps", "60"},
     "e4f2d9591470b6d1aae04705d8a616ab36be03542bb849b9d95c232ca4633c3b"},
    {{"mlp", "--data", TENON_TEST_SOURCE_DIR "/examples/data/digits.csv", "--seed", "7", "--steps", "20", "--hidden",
      "32,16", "--optimizer", "momentum", "--batch", "50"},
     "f1509dd9e37c8d4d33e00a3215e500f5fe27bbf9eb7a4cc468ce00d9b56d11a4"},
    {{"linear", "--data", TENON_TEST_SOURCE_DIR "/examples/data/line.csv", "--optimizer", "adamw"},
     "da60e5ced87e9732ffeb0647b5e8d56d54a76f688a36edf2b745a3efa7e14db1"},
};

class SameBits : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(SameBits, InEverySeededRun) {
  const Workplace place;
  for (const SeededRun& run : runs) {
    std::vector<std::string> args{"train"};
    args.insert(args.end(), run.model.begin(), run.model.end());
    args.insert(args.end(), GetParam().begin(), GetParam().end());
    args.insert(args.end(), {"--save", (place / "model.safetensors").string()});
    const Outcome outcome = place.tenon(args);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(sha256(place / "model.safetensors"), run.hash) << run.model[0];
  }
}

INSTANTIATE_TEST_SUITE_P(EveryWay, SameBits,
                         testing::Values(std::vector<std::string>{"--device", "cpu", "--threads", "1"},
                                         std::vector<std::string>{"--device", "cpu", "--threads", "8"},
                                         std::vector<std::string>{
                                             "--plugin", TENON_TEST_BUILD_DIR "/test-plugins/late/late.tenon.json",
                                             "--device", "late"}));

TEST(Digits, AreToldApartOnEverySeed) {
  const Workplace place;
  for (int seed = 0; seed < 8; ++seed) {
    const Outcome outcome = place.tenon(
        {"train", "mlp", "--data", TENON_TEST_SOURCE_DIR "/examples/data/digits.csv", "--seed", std::to_string(seed)});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    double accuracy = 0;
    const std::string line = lines_that_begin_with(outcome.out, "test accuracy").at(0);
    ASSERT_EQ(std::sscanf(line.c_str(), "test accuracy %lf", &accuracy), 1) << line;
    EXPECT_GE(accuracy, 95.0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tenon::test
