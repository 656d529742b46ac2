// misdeeds.h: the plugin `misbehaves` (tests/fakes/bad) beside the CPU's in an installed Tenon, and a program of which
// every function of a plugin has its part: a state is filled and copied, two values are negated.
#pragma once
#include "acceptance/scenario.h"

namespace tenon::test {

class Misdeeds : public Scenario {
 protected:
  Misdeeds() { add_plugin("misbehaves"); }

  /// From now on the plugin does `deed` in the function `where`.
  void misbehave(const std::string& deed, const std::string& where) {
    place_.set("FAULTY_DEED", deed);
    place_.set("FAULTY_PLACE", where);
  }

  std::vector<std::string> negate(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"run", negation_, "--input", numbers_, "--output", output_, "--device", "misbehaves"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  /// Runs the program on the plugin's device, expects the right result; answers what was said on standard error.
  std::string expect_negated(const std::vector<std::string>& more = {}) const {
    fs::remove(output_);
    const Outcome outcome = place_.tenon(negate(more));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(read_file(output_), "output0,output1\n-1.5,2.25\n");
    return outcome.err;
  }

  /// The device is listed as usable.
  void expect_usable() const { EXPECT_EQ(listed("misbehaves")["state"], "usable"); }

  /// The list tells why not, under this reason and in these words, and the run fails in the same.
  void expect_told(const std::string& code, const std::vector<std::string>& words) const {
    const nlohmann::json row = listed("misbehaves");
    EXPECT_EQ(row["state"], "plugin failed") << row;
    EXPECT_EQ(row["reason"]["code"], code) << row;
    expect_words(row["reason"]["text"], words);
    fs::remove(output_);
    const std::string err = expect_failure(place_, negate());
    expect_words(err, words);
    expect_words(err, {"reason: " + code});
  }

  const std::string library_ = vendors_ / "tenon_misbehaves.so";
  const std::string numbers_ = place_.write("numbers.csv", "a,b\n1.5,-2.25\n");
  const std::string negation_ = place_.write("negation.tenon",
                                             "tenon program 1\n"
                                             "%s = state s : (2) = 0.5\n"
                                             "%x = input x : (batch, 2)\n"
                                             "forward\n"
                                             "  %t = neg(%s)\n"
                                             "  update_state(%s, %t)\n"
                                             "  %y = neg(%x)\n"
                                             "  return %y\n");
};

}  // namespace tenon::test
