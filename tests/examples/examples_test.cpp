// Every example, run as a process.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "cli/run_tenon.h"
#include "tenon/safetensors.h"

namespace tenon::test {
namespace {

const std::string data = TENON_TEST_SOURCE_DIR "/examples/data/";

/// Runs `NAME arguments...`; the arguments are words for sh.
Outcome example(const Workplace& place, const std::string& name, const std::string& arguments = {}) {
  return place.shell("'" TENON_TEST_BUILD_DIR "/examples/" + name + "' " + arguments);
}

/// Every number of a text, in order.
std::vector<double> numbers(std::string text) {
  for (char& c : text)
    if (std::string_view("0123456789.-+e").find(c) == std::string_view::npos) c = ' ';
  std::istringstream words(text);
  std::vector<double> out;
  for (std::string word; words >> word;)
    if (word.find_first_of("0123456789") != std::string::npos) out.push_back(std::stod(word));
  return out;
}

/// The lines between two others, indented as README has its code.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  std::string out;
  bool inside = false;
  for (const std::string& line : lines(text)) {
    if (line == end) inside = false;
    if (inside) out += line.empty() ? "\n" : "    " + line + "\n";
    if (line == begin) inside = true;
  }
  return out;
}

TEST(ReadmeExample, StandsInTheReadme) {
  const fs::path root = TENON_TEST_SOURCE_DIR;
  const std::string cut = between(read_file(root / "examples/readme.cpp"), "// README begins", "// README ends");
  EXPECT_GE(lines(cut).size(), 10U);
  EXPECT_NE(read_file(root / "README.md").find("\n\n" + cut + "\n"), std::string::npos)
      << "README.md lacks these lines of examples/readme.cpp:\n" + cut;
}

TEST(ReadmeExample, LearnsTheExclusiveOr) {
  const Workplace place;
  const Outcome outcome = example(place, "readme");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<double> found = numbers(outcome.out);  // "(4, 2) [[...], ...]"
  ASSERT_EQ(found.size(), 10U) << outcome.out;
  for (std::size_t row = 0; row < 4; ++row) {
    const bool says_one = found[2 + 2 * row + 1] > found[2 + 2 * row];
    EXPECT_EQ(says_one, row == 1 || row == 2) << outcome.out;
  }
}

TEST(MlpExample, LearnsTheParametersOfTheProgramToTheLastBit) {
  const Workplace place;
  const std::string digits = "'" + data + "digits.csv' ", flags = " --seed 7";
  const Outcome program = place.shell("\"$TENON\" train mlp --data " + digits + "--save program.safetensors" + flags);
  ASSERT_EQ(program.status, 0) << program.err;
  const Outcome own = example(place, "mlp", digits + "own.safetensors --backend compiled" + flags);
  ASSERT_EQ(own.status, 0) << own.err;
  EXPECT_NE(own.out.find(" of 359 unseen digits are right\n"), std::string::npos) << own.out;

  const auto theirs = read_safetensors(place / "program.safetensors");
  const auto ours = read_safetensors(place / "own.safetensors");
  ASSERT_TRUE(theirs && ours);
  ASSERT_EQ(ours->tensors.size(), 4U);
  for (const NamedTensor& tensor : ours->tensors) {
    const NamedTensor* same = theirs->find(tensor.name);
    ASSERT_NE(same, nullptr) << tensor.name;
    EXPECT_EQ(same->shape, tensor.shape);
    EXPECT_TRUE(same->bytes == tensor.bytes) << tensor.name << " differs";
  }
}

TEST(MlpExample, RefusesAFileThatHasNoDigits) {
  const Workplace place;
  const Outcome outcome = example(place, "mlp", "'" + data + "line.csv'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("line.csv: found 4 columns, expected 64 pixels and a label"), std::string::npos);
  EXPECT_EQ(example(place, "mlp").status, 2);
}

TEST(RegressionExample, FindsTheLine) {
  const Workplace place;
  const Outcome outcome = example(place, "regression", "'" + data + "line.csv'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<double> found = numbers(outcome.out);  // (1, 3) [[w0, w1, w2]] (1) [b] loss after steps
  ASSERT_EQ(found.size(), 9U) << outcome.out;
  const std::vector<double> wanted{1, 3, 2, -3, 0.5, 1, 1, 0.0008, 300};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 0.02) << outcome.out;
}

TEST(FlagsExample, HasItsOwnFlagsAndTheExecutionFlags) {
  const Workplace place;
  const Outcome outcome = example(place, "flags", "--times 2 a --device cpu --seed=7 b --loud");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, 12), "a!\nb!\na!\nb!\n");
  EXPECT_NE(outcome.out.find("would run on cpu with seed 7: "), std::string::npos) << outcome.out;
  EXPECT_EQ(lines_that_begin_with(outcome.err, "device: cpu").size(), 1U) << outcome.err;
}

TEST(FlagsExample, ReportsTheFirstMistakeOfEither) {
  const Workplace place;
  const Outcome outcome = example(place, "flags", "--times 12 --seed x");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err.find("error: --times: found \"12\", expected a whole number from 1 to 9"), 0U) << outcome.err;
  EXPECT_EQ(example(place, "flags", "--seed x --times 12").err.find("error: --seed: found \"x\""), 0U);
  const Outcome help = example(place, "flags", "--help");
  EXPECT_NE(help.out.find("--times N"), std::string::npos);
  EXPECT_NE(help.out.find("--device D"), std::string::npos);
}

TEST(TwoDevicesExample, LearnsTheSameBitsOnBoth) {
  const Workplace place;
  const std::string late = TENON_TEST_BUILD_DIR "/test-plugins/late/late.tenon.json";
  const Outcome outcome = example(place, "two_devices", "--device cpu --device-b late --plugin '" + late + "'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("cpu and late learnt the same parameters\n"), std::string::npos) << outcome.out;
  const Outcome alone = example(place, "two_devices");
  EXPECT_NE(alone.out.find("auto and cpu learnt the same parameters\n"), std::string::npos) << alone.out << alone.err;
}

TEST(CnnExample, LearnsAlikeWithEitherBackend) {
  const Workplace place;
  const Outcome eager = example(place, "cnn");
  ASSERT_EQ(eager.status, 0) << eager.err;
  EXPECT_NE(eager.out.find(" after: learnt\n"), std::string::npos) << eager.out;
  EXPECT_EQ(example(place, "cnn", "--backend compiled").out, eager.out);
}

}  // namespace
}  // namespace tenon::test
