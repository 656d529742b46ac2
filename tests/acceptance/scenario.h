// scenario.h: what the scenarios of this folder begin with: Tenon installed in a folder of its own with the CPU's
// plugin alone, the small model M with its rows, and a folder of vendors' plugins that begins empty.
//
// An ordinary failure is what expect_failure() of cli/failures.h looks for: status 1, one error, nothing on standard
// output, no file created or changed, no signal.
#pragma once
#include <nlohmann/json.hpp>

#include "cli/failures.h"

namespace tenon::test {

class Scenario : public testing::Test {
 protected:
  Scenario() {
    fs::create_directory(vendors_);
    place_.set("TENON_PLUGIN_PATH", vendors_);
  }

  /// Copies what lies in test-plugins/<name> of the build into the vendors' folder.
  void add_plugin(const std::string& name) const {
    for (const auto& entry : fs::directory_iterator(built_ / name))
      if (entry.is_regular_file()) fs::copy_file(entry.path(), vendors_ / entry.path().filename());
  }

  /// The command line that runs M.
  std::vector<std::string> run_model(const std::string& device, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"run", model_, "--input", input_, "--output", output_, "--device", device};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  /// Runs M, expects status 0 and the right result in the output file; answers what was printed.
  Outcome expect_success(const std::string& device, const std::vector<std::string>& more = {}) const {
    fs::remove(output_);
    Outcome outcome = place_.tenon(run_model(device, more));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(read_file(output_), result_) << device;
    return outcome;
  }

  /// Runs a program of programs/ with the installed libtenon.so.
  Outcome run_program(const std::string& name, const std::vector<std::string>& args) const {
    const fs::path program = installed_ / "bin" / name;
    fs::copy_file(fs::path(TENON_TEST_BUILD_DIR "/test-programs") / name, program, fs::copy_options::skip_existing);
    std::string script = "'" + program.string() + "'";
    for (const std::string& word : args) script += " '" + word + "'";
    return place_.shell(script);
  }

  /// What `tenon devices --json` says of a device.
  nlohmann::json listed(const std::string& device) const {
    const Outcome outcome = place_.tenon({"devices", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const auto& row : nlohmann::json::parse(outcome.out))
      if (row["device"] == device) return row;
    ADD_FAILURE() << device << " is not listed:\n" << outcome.out;
    return {};
  }

  Workplace place_;
  const fs::path installed_ = place_.install(), own_plugins_ = installed_ / "lib/tenon-plugins";
  const fs::path vendors_ = place_ / "vendors", built_ = TENON_TEST_BUILD_DIR "/test-plugins";
  /// M: two products of matrices with a sum and a relu between them. Every number in it is exact in f32.
  const std::string model_ = place_.write("m.tenon",
                                          "tenon program 1\n"
                                          "name m\n"
                                          "%x = input x : (rows, 3)\n"
                                          "forward\n"
                                          "  %first = fill() {shape=(3, 4), value=0.5}\n"
                                          "  %bias = fill() {shape=(rows, 4), value=-1}\n"
                                          "  %second = fill() {shape=(4, 2), value=0.25}\n"
                                          "  %products = matmul(%x, %first)\n"
                                          "  %sums = add(%products, %bias)\n"
                                          "  %hidden = relu(%sums)\n"
                                          "  %scores = matmul(%hidden, %second)\n"
                                          "  return %scores\n");
  const std::string input_ = place_.write("x.csv", "a,b,c\n1,2,3\n-1,0,1\n");
  const std::string output_ = place_ / "y.csv", result_ = "output0,output1\n2,2\n0,0\n";
};

inline void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

inline void expect_no_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_EQ(text.find(word), std::string::npos) << word << " in\n" << text;
}

}  // namespace tenon::test
