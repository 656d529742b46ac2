// K7, life cycle: what sessions take they give back, in any thread, and a program may end as it likes.
// programs/life_cycle.cpp is the program.
#include <regex>

#include "scenario.h"
#include "tenon/plugin/sanitizer.h"

namespace tenon::test {
namespace {

/// What the program held after a cycle.
struct Cycle {
  std::uint64_t resident_kib = 0;
  int threads = 0, mappings = 0;
  bool is_right = false;
};

std::vector<Cycle> cycles_in(const std::string& text) {
  static const std::regex form(R"(cycle (\d+): (\d+) KiB, (\d+) threads, (\d+) mappings, (right|wrong))");
  std::vector<Cycle> all;
  for (const std::string& line : lines(text)) {
    std::smatch part;
    if (!std::regex_match(line, part, form) || std::stoul(part[1]) != all.size() + 1) {
      ADD_FAILURE() << line;
      return {};
    }
    all.push_back({std::stoull(part[2]), std::stoi(part[3]), std::stoi(part[4]), part[5] == "right"});
  }
  return all;
}

class K7 : public Scenario {
 protected:
  K7() { add_plugin("vendor"); }

  /// Runs the program, which is to end with status 0 and without a word on standard error: a sanitizer has nothing to
  /// say either. Answers standard output.
  std::string life_cycle(const std::string& words) const {
    const Outcome outcome =
        place_.shell("exec '" TENON_TEST_BUILD_DIR "/test-programs/life_cycle' " + words + " m.tenon");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
};

TEST_F(K7, a_ThreeHundredSessionsOpenedAndClosedLeaveNothingBehind) {
  const std::vector<Cycle> cycles = cycles_in(life_cycle("cycles"));
  ASSERT_EQ(cycles.size(), 300u);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    ASSERT_TRUE(cycles[i].is_right) << "after cycle " << i + 1;
    ASSERT_EQ(cycles[i].threads, cycles[0].threads) << "after cycle " << i + 1;
    ASSERT_EQ(cycles[i].mappings, 1) << "after cycle " << i + 1;
  }
  if (plugin::sanitizers == 0)
    EXPECT_LE(cycles[299].resident_kib, cycles[49].resident_kib + 5 * 1024);
  else
    std::cout << "resident memory is not compared: a sanitizer holds freed memory back\n";
}

TEST_F(K7, b_EightThreadsWithASessionEachGetTheBitsOfOneThread) {
  std::string expected;
  for (int thread = 0; thread < 8; ++thread) expected += "100 of 100 runs\n";
  EXPECT_EQ(life_cycle("threads"), expected);
}

TEST_F(K7, c_AProgramMayEndWithoutClosingAnything) {
  for (const std::string how : {"heap", "static", "stack"})
    EXPECT_EQ(life_cycle("leave " + how), "left open: " + how + "\n");
}

}  // namespace
}  // namespace tenon::test
