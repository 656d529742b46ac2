// metal.h: the program with the Metal plugin on the fake Metal. What that complains of, or is not given back, ends the
// process with 86, which is no status of the program's.
#pragma once
#include <gtest/gtest.h>

#include "cli/run_tenon.h"

namespace tenon::test {

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline const std::string digits = TENON_TEST_SOURCE_DIR "/examples/data/digits.csv";
inline const std::string line = TENON_TEST_SOURCE_DIR "/examples/data/line.csv";

/// The plugin, or the one with bugs.
inline std::string manifest(const std::string& name = "metal") {
  return METAL_PLUGINS "/" + name + "/" + name + ".tenon.json";
}
inline Words on_metal(const std::string& ordinal = {}, const std::string& name = "metal") {
  return {"--plugin", manifest(name), "--device", "metal" + ordinal};
}
inline Words train_a_line() { return {"train", "linear", "--data", line, "--steps", "2", "--dtype", "float32"}; }

class OnFakeMetal : public testing::Test {
 protected:
  OnFakeMetal() {
    place.set("TENON_GPUSIM_KERNELS", METAL_KERNELS);
    place.set("TENON_GPUSIM_LEAKS", "error");
  }
  void use_checked_kernels() { place.set("TENON_GPUSIM_KERNELS", METAL_CHECKED); }
  /// The nightly run does everything.
  static bool is_whole() { return std::getenv("GPUSIM_WHOLE") != nullptr; }
  Workplace place;
};

}  // namespace tenon::test
