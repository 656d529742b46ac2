// simulated.h: the program on a simulated GPU. Each test is one of each kind of device that was built; what a fake
// driver complains of, or is not given back, ends the process with 86, which is no status of the program's.
#pragma once
#include "devices/devices.h"

namespace tenon::test {

class Simulated : public testing::TestWithParam<std::string> {
 protected:
  Simulated() { use_fakes(place); }
  void use_checked_kernels() { place.set("TENON_GPUSIM_KERNELS", GPUSIM_CHECKED); }

  /// The nightly run does everything with everything.
  static bool is_whole() { return std::getenv("GPUSIM_WHOLE") != nullptr; }

  /// The widths of warps that this kind is tested with. A library of kernels is that of both vendors: where both are
  /// built each takes its own.
  Words widths() const {
    if (is_whole() || listed(DEVICES_SIMULATED).size() == 1) return {"32", "64"};
    return {kind == "cuda" ? "32" : "64"};
  }

  Outcome train(const Words& words, const Words& device) const { return place.tenon(Words{"train"} + words + device); }
  /// The shortest training on this test's device.
  Words train_a_line(const std::string& ordinal = {}) const {
    return Words{"train", "linear", "--data", line, "--steps", "2", "--dtype", "float32"} + on(kind, ordinal);
  }

  Workplace place;
  const std::string kind = GetParam();
};

inline const auto every_kind = testing::ValuesIn(listed(DEVICES_SIMULATED));

}  // namespace tenon::test
