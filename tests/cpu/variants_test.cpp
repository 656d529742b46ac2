// The CPU's instruction sets as a user meets them: 6-acceptance K13 (a) and (b).
#include <nlohmann/json.hpp>

#include "cli/failures.h"
#include "tenon/plugin/sanitizer.h"

namespace tenon::test {
namespace {

class Variants : public testing::Test {
 protected:
  Variants() : data_(place_.write("d.csv", three_classes())) {}

  std::vector<std::string> train(const std::vector<std::string>& flags) const {
    std::vector<std::string> args{
        "train",  "mlp",     "--data", data_,     "--seed", "3",      "--hidden",
        "37,130", "--steps", "25",     "--batch", "19",     "--save", place_ / "m.safetensors"};
    args.insert(args.end(), flags.begin(), flags.end());
    return args;
  }
  /// The parameters' bytes after a training.
  std::string trained(const std::vector<std::string>& flags) const {
    const Outcome outcome = place_.tenon(train(flags));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(place_ / "m.safetensors");
  }
  nlohmann::json variants() const {
    const Outcome outcome = place_.tenon({"devices", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at(0).at("variants");
  }
  /// Those that this machine can run.
  std::vector<std::string> runnable() const {
    std::vector<std::string> out;
    for (const auto& variant : variants())
      if (variant["taken"] || variant["reason"].get<std::string>().ends_with(" is wider"))
        out.push_back(variant["name"]);
    return out;
  }
  std::string quoted(const std::vector<std::string>& words) const {
    std::string out;
    for (const std::string& word : words) out += " '" + word + "'";
    return out;
  }

  Workplace place_;
  std::string data_;
};

TEST_F(Variants, TrainToTheSameBytesAsTheReference) {
  const std::string expected = trained({"--provider", "only:reference"});
  for (const std::string& isa : runnable())
    for (const char* threads : {"1", "2"})
      EXPECT_TRUE(trained({"--option", "cpu.isa=" + isa, "--threads", threads}) == expected) << isa << ", " << threads;
}

TEST_F(Variants, AreAllListedAndOneIsTaken) {
  int taken = 0;
  for (const auto& variant : variants()) {
    taken += variant["taken"] ? 1 : 0;
    EXPECT_EQ(variant["reason"].is_null(), variant["taken"].get<bool>()) << variant;
  }
  EXPECT_EQ(taken, 1);
  const std::string page = place_.tenon({"devices", "--verbose"}).out;
  EXPECT_NE(page.find("\n  variants       "), std::string::npos) << page;
  EXPECT_EQ(count(page, " taken\n"), 1u) << page;
  EXPECT_EQ(place_.tenon({"devices"}).out.find("variants"), std::string::npos);
}

TEST_F(Variants, OfMaskedFeaturesAreListedAsSuch) {
  const std::string lowest = variants().at(0)["name"];
  place_.set("TENON_CPU_ISA", lowest);
  for (const auto& variant : variants()) {
    EXPECT_EQ(variant["taken"].get<bool>(), variant["name"] == lowest) << variant;
    EXPECT_EQ(variant["reason"].is_null(), variant["taken"].get<bool>()) << variant;
  }
  const std::string page = place_.tenon({"devices", "--verbose"}).out;
  EXPECT_NE(page.find("variants       " + lowest + " taken\n"), std::string::npos) << page;
}

TEST_F(Variants, WithoutAMeaningAreRefusedWithTheChoices) {
  const std::string err = expect_failure(place_, train({"--option", "cpu.isa=mmx"}));
  EXPECT_NE(err.find("[cpu] cpu.isa=mmx: no such instruction set, expected "), std::string::npos) << err;
  for (const std::string& isa : runnable()) EXPECT_NE(err.find(isa), std::string::npos) << err;
}

TEST_F(Variants, OfFastProductsComeWithFloatAlone) {
  const auto shown = [&](const std::string& dtype) {
    return place_.tenon(train({"--dtype", dtype, "--show-backend"})).err;
  };
  EXPECT_NE(shown("float").find(" cpu.native.fast.linear.f64 "), std::string::npos);
  EXPECT_NE(shown("float32:fast").find(" cpu.native.fast.linear.f32 "), std::string::npos);
  EXPECT_EQ(shown("float32").find("cpu.native.fast"), std::string::npos);
  EXPECT_NE(shown("float32").find(" cpu.native.linear.f32 "), std::string::npos);
}

/// A processor of 2008, emulated: an instruction that it lacks would be the end.
class OldMachine : public Variants {
 protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "this machine's programs are not those of the emulated one";
#endif
    if (plugin::sanitizers != 0) GTEST_SKIP() << "the emulator has no room for a sanitizer's shadow memory";
    if (place_.shell("command -v qemu-x86_64").status != 0)
      GTEST_SKIP() << "qemu-x86_64 is not installed (Debian: qemu-user)";
  }
  Outcome emulated(const std::string& command) const { return place_.shell("qemu-x86_64 -cpu Nehalem " + command); }
};

TEST_F(OldMachine, TrainsToTheSameBytesAsThisOne) {
  const std::string expected = trained({});
  fs::remove(place_ / "m.safetensors");
  const Outcome outcome = emulated("\"$TENON\"" + quoted(train({})));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(read_file(place_ / "m.safetensors") == expected);
}

/// The probe alone: an emulated program's children are not emulated.
TEST_F(OldMachine, TellsWhatItLacks) {
  const Outcome outcome = emulated("'" TENON_TEST_BUILD_DIR "/bin/tenon-probe' 1 '" TENON_TEST_BUILD_DIR
                                   "/lib/tenon-plugins/cpu.tenon.json'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out.substr(outcome.out.find('{')));
  EXPECT_EQ(report["variants"].at(0), (nlohmann::json{{"name", "sse2"}, {"taken", true}, {"reason", ""}}));
  EXPECT_EQ(report["variants"].at(1)["reason"], "the processor has no avx2");
  EXPECT_EQ(report["variants"].at(2)["reason"], "the processor has no avx512f");
}

TEST_F(OldMachine, RefusesASetThatItLacks) {
  const Outcome outcome = emulated("\"$TENON\"" + quoted(train({"--option", "cpu.isa=avx512"})));
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("cpu.isa=avx512: the processor has no avx512f, expected sse2"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace tenon::test
