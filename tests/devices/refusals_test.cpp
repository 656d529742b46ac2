// A machine without a driver, in the plugin's words: what `tenon devices` lists, and how a session is refused.
#include "cli/failures.h"
#include "devices.h"

namespace tenon::test {
namespace {

class WithoutADriver : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!is_listed(DEVICES_BUILT, kind)) GTEST_SKIP() << kind << " is left out: its plugin is not built here";
    place.set("LD_LIBRARY_PATH", "/nonexistent");
  }
  /// Whatever is installed, what is found first is no driver.
  void damage_the_driver() {
    for (const char* name :
         {"libcuda.so.1", "libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7", "libamdhip64.so"})
      place.write(name, "no library");
    place.set("LD_LIBRARY_PATH", (place / "").string());
  }
  std::string refusal_of_a_session(const std::string& ordinal = {}) const {
    return expect_failure(
        place, Words{"train", "linear", "--data", line, "--show-backend", "--save", (place / "model").string()} +
                   on(kind, ordinal));
  }
  /// In the words that `tenon devices` had for it, before anything ran.
  void expect_refusal(const nlohmann::json& row) const {
    const std::string err = refusal_of_a_session(), words = row["reason"]["text"], code = row["reason"]["code"];
    EXPECT_EQ(count(err, "error: [device] " + kind + ":0: " + words + " (plugin "), 1u) << err;
    EXPECT_EQ(count(err, "\n  reason: " + code + " ("), 1u) << err;
    EXPECT_EQ(count(err, "\n  next: "), 1u) << err;
    EXPECT_EQ(count(err, "capsule: "), 0u) << err;
  }

  Workplace place;
  const std::string kind = GetParam();
  const std::string driver = kind == "cuda" ? "the NVIDIA driver" : "the AMD ROCm runtime";
  const std::string library = kind == "cuda" ? "libcuda.so.1" : "libamdhip64.so";
};

// The vendor's library may be installed where no device is: then it is quoted.
TEST_P(WithoutADriver, TheDeviceIsListedAndASessionRefusedInTheSameWords) {
  const nlohmann::json row = row_of(place, kind);
  if (row["state"] == "usable") GTEST_SKIP() << "this machine has a " << kind << " device";
  EXPECT_EQ(row["state"], "no hardware");
  const std::string words = row["reason"]["text"], code = row["reason"]["code"];
  if (code == "DRIVER_MISSING") {
    EXPECT_TRUE(contains(words, library)) << words;
    EXPECT_TRUE(contains(words, ": " + driver + " is not installed, or is not visible to this process")) << words;
  } else {
    EXPECT_EQ(code, "NO_DEVICE");
    EXPECT_TRUE(words.starts_with(library)) << words;
  }
  EXPECT_TRUE(contains(place.tenon({"devices", "--plugin", manifest(kind)}).out, words));
  expect_refusal(row);
}

TEST_P(WithoutADriver, ADamagedOneIsTold) {
  damage_the_driver();
  const nlohmann::json row = row_of(place, kind);
  EXPECT_EQ(row["state"], "no hardware");
  EXPECT_EQ(row["reason"]["code"], "DRIVER_MISSING");
  const std::string words = row["reason"]["text"];
  EXPECT_TRUE(contains(words, (place / library).string())) << words;
  EXPECT_TRUE(contains(words, ": " + driver + " is not installed, or is not visible to this process")) << words;
  expect_refusal(row);
}

TEST_P(WithoutADriver, NoOrdinalIsServed) {
  damage_the_driver();
  const std::string err = refusal_of_a_session(":1");
  EXPECT_EQ(count(err, "error: [device] " + kind + ":1: "), 1u) << err;
}

INSTANTIATE_TEST_SUITE_P(On, WithoutADriver, testing::Values("cuda", "rocm"), name_of_kind);

}  // namespace
}  // namespace tenon::test
