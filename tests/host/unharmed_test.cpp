// Every plugin of tests/fakes/bad, one after the other: `tenon devices` tells its state and ends well, and training and
// running on the CPU give the bytes that they give without it.
#include <set>

#include "acceptance/scenario.h"

namespace tenon::test {
namespace {

struct Listed {
  std::string state, code, words;
};

Listed failed(const std::string& code, const std::string& words) { return {"plugin failed", code, words}; }
const Listed usable{"usable", "", ""};  // what it does wrong, it does later or without harm

const std::map<std::string, Listed> expected{
    {"broken_capsules", usable},
    {"crashes", failed("PROBE_CRASHED", "signal SIGSEGV")},
    {"empty_slot", failed("BAD_TABLE", "the mandatory slot 'copy_in'")},
    {"fast_math", usable},
    {"flawless", usable},
    {"hangs", failed("PROBE_TIMED_OUT", "it did not answer within 100 ms")},
    {"late_errors", usable},
    {"long_table", usable},
    {"misbehaves", usable},
    {"missing_dependency", failed("MISSING_DEPENDENCY", "libvendor_dep.so.9")},
    {"newer_abi", failed("ABI_MISMATCH", "it offers ABI 2.0")},
    {"no_entry_point", failed("NO_ENTRY_POINT", "does not export tenon_plugin_query")},
    {"no_hardware", {"no hardware", "NO_DEVICE", "driver present, 0 devices"}},
    {"no_option", usable},
    {"null_table", failed("BAD_TABLE", "its entry point returned no table")},
    {"other_header", failed("FINGERPRINT_MISMATCH", "another header of ABI 1.1")},
    {"other_identity", failed("MANIFEST_STALE", "is faulty/other_identity 2.0")},
    {"other_sanitizer", failed("SANITIZER_MISMATCH", "found memory, expected ")},
    {"prints", usable},
    {"refuses", failed("INITIALIZE_FAILED", "the licence has run out")},
    {"short_table", usable},
    {"size_zero", failed("BAD_TABLE", "its tenon_plugin is too small: found 0 bytes")},
    {"small_devices", failed("BAD_TABLE", "its tenon_devices is too small")},
    {"small_pool", usable},
    {"throws", failed("EXCEPTION_ESCAPED", "escaped from tenon_plugin_query: thrown by a test")},
    {"throws_later", usable},
    {"undefined_symbol", failed("UNDEFINED_SYMBOL", "function_that_nobody_defines")},
    {"version_zero", failed("BAD_TABLE", "names no ABI version")},
    {"wrong_magic", failed("BAD_TABLE", "wrong magic number: found 12345678")},
};

/// One more that is built like the others must say here what is expected of it.
std::set<std::string> sources() {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator(TENON_TEST_SOURCE_DIR "/tests/fakes/bad"))
    if (entry.path().extension() == ".cpp") out.insert(entry.path().stem());
  return out;
}

class Unharmed : public Scenario {
 protected:
  /// Puts the plugin alone into the vendors' folder.
  void replace_plugin(const std::string& name) const {
    fs::remove_all(vendors_);
    fs::create_directory(vendors_);
    add_plugin(name);
  }

  /// What a training on the CPU prints and saves.
  std::string trained() const {
    fs::remove(saved_);
    const Outcome outcome = place_.tenon(
        {"train", "linear", "--data", examples_, "--device", "cpu", "--steps", "3", "--seed", "7", "--save", saved_});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out + outcome.err + read_file(saved_);
  }

  const std::string examples_ = place_.write("examples.csv", three_classes(12)), saved_ = place_ / "w.safetensors";
};

TEST_F(Unharmed, TheTableHasEveryBadPlugin) {
  std::set<std::string> names;
  for (const auto& [name, listed] : expected) names.insert(name);
  EXPECT_EQ(names, sources());
}

TEST_F(Unharmed, TheListTellsTheStateOfEachAndWhy) {
  for (const auto& [name, told] : expected) {
    SCOPED_TRACE(name);
    replace_plugin(name);
    place_.set("TENON_PROBE_TIMEOUT_MS", name == "hangs" ? "100" : "10000");
    const nlohmann::json row = listed(name == "throws_later" ? name + ":0" : name);  // it has two devices
    EXPECT_EQ(row["state"], told.state) << row;
    EXPECT_EQ(row["reason"].is_null(), told.code.empty()) << row;
    if (told.code.empty()) continue;
    EXPECT_EQ(row["reason"]["code"], told.code) << row;
    expect_words(row["reason"]["text"], {told.words});
  }
}

TEST_F(Unharmed, TheCpuTrainsToTheSameBytesBesideEach) {
  const std::string alone = trained();
  for (const auto& [name, told] : expected) {
    SCOPED_TRACE(name);
    replace_plugin(name);
    EXPECT_EQ(trained(), alone);
  }
}

TEST_F(Unharmed, TheCpuTrainsAndRunsToTheSameBytesBesideAllTogether) {
  const std::string alone = trained();
  for (const auto& [name, told] : expected) add_plugin(name);
  EXPECT_EQ(trained(), alone);
  expect_success("cpu");
  fs::remove(vendors_ / "hangs.tenon.json");  // its limit of time would be that of all
  const Outcome outcome = place_.tenon({"devices"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const auto& [name, told] : expected)
    EXPECT_EQ(count(outcome.out, "  " + name + " 1.0 "), name == "hangs"          ? 0u
                                                         : name == "throws_later" ? 2u
                                                                                  : 1u)
        << name;
}

}  // namespace
}  // namespace tenon::test
