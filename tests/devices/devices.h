// devices.h: every kind of device that this project brings, and what a test says to the program to run on it.
//
// The drivers of cuda and rocm and the Metal of metal are the simulator's (tests/gpusim); vulkan is whatever device the
// machine has, such as lavapipe. Whoever includes this has DEVICES_BUILT, DEVICES_SIMULATED and the GPUSIM_ names
// (CMakeLists.txt).
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_tenon.h"

namespace tenon::test {

using Words = std::vector<std::string>;

/// The words of a text, between commas.
inline Words listed(std::string text) {
  Words out;
  for (std::istringstream all(text); std::getline(all, text, ',');) out.push_back(text);
  return out;
}

inline bool is_listed(const std::string& list, const std::string& word) {
  const Words all = listed(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline const std::string digits = TENON_TEST_SOURCE_DIR "/examples/data/digits.csv";
inline const std::string line = TENON_TEST_SOURCE_DIR "/examples/data/line.csv";

inline std::string manifest(const std::string& kind) {
  const bool is_for_tests_alone = kind == "late" || kind == "metal";
  return is_for_tests_alone ? TENON_TEST_BUILD_DIR "/test-plugins/" + kind + "/" + kind + ".tenon.json"
                            : TENON_TEST_BUILD_DIR "/lib/tenon-plugins/" + kind + ".tenon.json";
}

/// The flags that choose a device of this kind.
inline Words on(const std::string& kind, const std::string& ordinal = {}) {
  if (kind == "cpu") return {"--device", kind};
  return {"--plugin", manifest(kind), "--device", kind + ordinal};
}

inline bool is_gpu_of_a_vendor(const std::string& kind) { return kind == "cuda" || kind == "rocm"; }

/// From now on the drivers are the simulator's; what one of them complains of, or is not given back, ends the process
/// with 86, which is no status of the program's.
inline void use_fakes(Workplace& place) {
  place.set("LD_LIBRARY_PATH", GPUSIM_FOLDER);
  place.set("TENON_GPUSIM_KERNELS", GPUSIM_PLAIN);
  place.set("TENON_GPUSIM_LEAKS", "error");
}

/// The row of `tenon devices` for a kind, whose driver is what the place makes of it.
inline nlohmann::json row_of(const Workplace& place, const std::string& kind) {
  const Outcome outcome = place.tenon({"devices", "--json", "--plugin", manifest(kind)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const auto& row : nlohmann::json::parse(outcome.out))
    if (row["device"] == kind) return row;
  ADD_FAILURE() << "no row for " << kind << ":\n" << outcome.out;
  return {};
}

/// Why no test can run on the kind here; empty where it can.
inline std::string why_left_out(Workplace& place, const std::string& kind) {
  if (!is_listed(DEVICES_BUILT, kind)) return "its plugin is not built here";
  if (is_gpu_of_a_vendor(kind)) {
    if (!is_listed(DEVICES_SIMULATED, kind)) return "the fake of its driver is not built here";
    use_fakes(place);
  }
  if (kind == "metal") {
    place.set("TENON_GPUSIM_KERNELS", GPUSIM_METAL);
    place.set("TENON_GPUSIM_LEAKS", "error");
  }
  if (kind != "vulkan") return {};
  const nlohmann::json row = row_of(place, kind);
  return row["state"] == "usable" ? std::string() : row["reason"]["text"].get<std::string>();
}

/// The examples that fit each model of `tenon models`, by its name.
inline std::map<std::string, std::string> models_with_data(const Workplace& place) {
  std::map<std::string, std::string> out;
  for (const auto& row : nlohmann::json::parse(place.tenon({"models", "--json"}).out))
    out[row["model"]] = row["task"] == "classification" ? digits : line;
  return out;
}

/// What a run trains beside the flags of its device.
struct Training {
  int steps = 10;
  Words of_models = {};   // flags of `tenon train`
  Words optimizers = {};  // of the module; none are all
};

/// A test on each kind; one that is not to be had is skipped with a line that says why.
class OnEveryDevice : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const std::string why = why_left_out(place, kind); !why.empty())
      GTEST_SKIP() << kind << " is left out: " << why;
  }

  /// Trains each model by `tenon train`, and a module by each optimizer: what they save lies in the folder. Answers
  /// what the runs wrote on standard error.
  std::string train_all(const std::string& folder, const Training& training, const Words& flags) const {
    fs::create_directory(place / folder);
    const std::string steps = std::to_string(training.steps);
    std::string said;
    for (const auto& [model, data] : models_with_data(place)) {
      const Words run{"train", model, "--data", data, "--steps", steps, "--save", (place / folder / model).string()};
      said += succeeded(place.tenon(run + training.of_models + flags));
    }
    const Words words = Words{train_modules, folder, steps} + training.optimizers + flags;
    std::string script;
    for (const std::string& word : words) script += "'" + word + "' ";
    return said + succeeded(place.shell(script));
  }

  Workplace place;
  const std::string kind = GetParam();

 private:
  static inline const std::string train_modules = TENON_TEST_BUILD_DIR "/test-programs/train_modules";

  static std::string succeeded(const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.err;
  }
};

inline const auto every_kind_of_device = testing::Values("cpu", "late", "vulkan", "cuda", "rocm", "metal");
inline std::string name_of_kind(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace tenon::test
