// simulated.h: the program on a simulated GPU. Each test is one of each kind of device that was built; what a fake
// driver complains of, or is not given back, ends the process with 86, which is no status of the program's.
#pragma once
#include <gtest/gtest.h>

#include "cli/run_tenon.h"

namespace tenon::test {

using Words = std::vector<std::string>;

/// The words of a text, between commas.
inline Words listed(std::string text) {
  Words out;
  for (std::istringstream all(text); std::getline(all, text, ',');) out.push_back(text);
  return out;
}

inline std::string manifest(const std::string& kind) {
  return kind == "late" ? TENON_TEST_BUILD_DIR "/test-plugins/late/late.tenon.json"
                        : TENON_TEST_BUILD_DIR "/lib/tenon-plugins/" + kind + ".tenon.json";
}

inline const std::string digits = TENON_TEST_SOURCE_DIR "/examples/data/digits.csv";
inline const std::string line = TENON_TEST_SOURCE_DIR "/examples/data/line.csv";

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Simulated : public testing::TestWithParam<std::string> {
 protected:
  Simulated() {
    place.set("LD_LIBRARY_PATH", GPUSIM_FOLDER);
    place.set("TENON_GPUSIM_KERNELS", GPUSIM_PLAIN);
    place.set("TENON_GPUSIM_LEAKS", "error");
  }
  void use_checked_kernels() { place.set("TENON_GPUSIM_KERNELS", GPUSIM_CHECKED); }

  /// The flags that choose a device of this kind.
  static Words on(const std::string& kind, const std::string& ordinal = {}) {
    if (kind == "cpu") return {"--device", kind};
    return {"--plugin", manifest(kind), "--device", kind + ordinal};
  }
  Outcome train(Words words, const Words& device) const {
    words.insert(words.begin(), "train");
    words.insert(words.end(), device.begin(), device.end());
    return place.tenon(words);
  }
  /// The shortest training on this test's device.
  Outcome train_a_line(const std::string& ordinal = {}) const {
    return train({"linear", "--data", line, "--steps", "2", "--dtype", "float32"}, on(kind, ordinal));
  }

  Workplace place;
  const std::string kind = GetParam();
};

inline std::string name_of_kind(const testing::TestParamInfo<std::string>& info) { return info.param; }
inline const auto every_kind = testing::ValuesIn(listed(GPUSIM_KINDS));

}  // namespace tenon::test
