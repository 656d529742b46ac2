// K15, command-line surprises: what is not understood is refused by name, with the nearest valid word; nothing is
// loaded, nothing runs, and the output file stays as it was.
#include <set>

#include "scenario.h"

namespace tenon::test {
namespace {

/// A command with files that would do, and O among them, which holds something already.
class K15 : public Scenario {
 protected:
  K15() {
    add_plugin("vendor");
    fs::create_directory(loads_);
    place_.set("LD_DEBUG", "files");  // glibc then writes down what a process loads
    place_.set("LD_DEBUG_OUTPUT", (loads_ / "of").string());
  }

  std::vector<std::string> with(std::vector<std::string> args, const std::vector<std::string>& more) const {
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  std::vector<std::string> train(const std::vector<std::string>& more) const {
    return with({"train", "mlp", "--data", data_, "--save", o_}, more);
  }
  std::vector<std::string> run(const std::vector<std::string>& more) const {
    return with({"run", model_, "--input", input_, "--output", o_}, more);
  }

  /// What processes have loaded since this was last asked: a text for each process.
  std::vector<std::string> loaded() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(loads_)) out.push_back(read_file(entry.path()));
    for (const auto& entry : fs::directory_iterator(loads_)) fs::remove(entry.path());
    return out;
  }

  /// A usage failure in one process that has loaded no plugin; answers the error.
  std::string misuse(const std::vector<std::string>& args) const {
    loaded();
    std::string err = expect_misuse(place_, args);
    EXPECT_TRUE(err.starts_with("error: ")) << err;  // nothing was begun
    const std::vector<std::string> processes = loaded();
    EXPECT_EQ(processes.size(), 1u);
    for (const std::string& process : processes) expect_no_words(process, {"/tenon_cpu.so", "/tenon_vendor.so"});
    EXPECT_EQ(read_file(o_), "known content");
    return err;
  }

  /// The flags of a command as its help lists them, with what stands for a value: "--device", " D".
  std::map<std::string, std::string> flags_of(const std::string& command) const {
    std::map<std::string, std::string> out;
    for (const std::string& line : lines_that_begin_with(place_.tenon({command, "--help"}).out, "  --")) {
      const std::size_t end = line.find_first_of(" [", 2);
      out[line.substr(2, end - 2)] = line.substr(end, line.find("  ", end) - end);
    }
    return out;
  }

  const fs::path loads_ = place_ / ".cache";  // not among the place's contents
  const std::string data_ = place_.write("d.csv", three_classes()), o_ = place_.write("o.csv", "known content");
};

TEST_F(K15, AGoodCommandLineLoadsTheCpuAndWritesItsOutput) {
  EXPECT_EQ(place_.tenon(run({"--device", "cpu"})).status, 0);
  EXPECT_EQ(read_file(o_), result_);
  const std::vector<std::string> processes = loaded();
  ASSERT_EQ(processes.size(), 1u);
  expect_words(processes[0], {"/tenon_cpu.so"});
}

struct Misuse {
  std::vector<std::string> args;
  std::vector<std::string> words;           // parts of the error
  std::vector<std::string> run_words = {};  // of `run`, where it says something else
};

std::ostream& operator<<(std::ostream& out, const Misuse& misuse) {
  for (const std::string& word : misuse.args) out << word << ' ';
  return out;
}

class K15Misuse : public K15, public testing::WithParamInterface<Misuse> {};

TEST_P(K15Misuse, IsAUsageFailureThatNamesTheWordAndTouchesNothing) {
  const Misuse& m = GetParam();
  expect_words(misuse(train(m.args)), m.words);
  expect_words(misuse(run(m.args)), m.run_words.empty() ? m.words : m.run_words);
}

const std::string too_large = "99999999999999999999";

INSTANTIATE_TEST_SUITE_P(
    Listed, K15Misuse,
    testing::Values(
        Misuse{{"--devcie", "cpu"}, {"unknown flag: found --devcie", "did you mean --device?"}},
        Misuse{{"--dev", "cpu"}, {"unknown flag: found --dev", "did you mean --device?"}},
        Misuse{{"--device"}, {"--device: missing value, expected auto, cpu, cuda"}},
        Misuse{{"--device", ""}, {"--device: found an empty value, expected auto, cpu, cuda"}},
        Misuse{{"--device="}, {"--device: found an empty value, expected auto, cpu, cuda"}},
        Misuse{{"--device", "cpu", "--device", "vendor"}, {"--device: given twice"}},
        Misuse{{"--device", "cpu,vendor"}, {"--device: cpu,vendor: no such device name", "external, vendor"}},
        Misuse{{"--backend", "fast"}, {"--backend: found \"fast\", expected eager or compiled"}},
        Misuse{{"--steps", "-1"}, {"--steps: found \"-1\""}, {"unknown flag: found --steps"}},
        Misuse{{"--steps", "1e3"}, {"--steps: found \"1e3\""}, {"unknown flag: found --steps"}},
        Misuse{{"--steps", too_large}, {"--steps: found \"" + too_large + "\""}, {"unknown flag: found --steps"}},
        Misuse{{"--seed", "12abc"}, {"--seed: found \"12abc\", expected a whole number"}},
        Misuse{{"--show-backend=maybe"}, {"--show-backend: found \"maybe\", expected nothing, or =json"}},
        Misuse{{"stray"}, {"unexpected argument: found \"stray\""}}));

INSTANTIATE_TEST_SUITE_P(
    Contradictions, K15Misuse,
    testing::Values(
        Misuse{{"--dtype", "float", "--float32-mode", "fast"}, {"--dtype and --float32-mode exclude each other"}},
        Misuse{{"--float32-mode", "fast", "--dtype", "float32:ieee754exec"}, {"--float32-mode and --dtype exclude"}},
        Misuse{{"--show-backend", "--show-backend=json"}, {"--show-backend: given twice"}},
        Misuse{{"--profile=json", "--profile"}, {"--profile: given twice"}},
        Misuse{{"--provider", "first", "--provider", "only:exact"}, {"--provider: given twice"}}));

TEST_F(K15, FilesThatContradictEachOtherAreRefused) {
  expect_words(misuse(train({"--trace", o_})), {"--trace: found " + o_ + ", which is the file of --save"});
  expect_words(misuse(train({"--trace", data_})), {"--trace: found " + data_ + ", which is the file of --data"});
  expect_words(misuse(run({"--trace", o_})), {"--trace: found " + o_ + ", which is the file of --output"});
  expect_words(misuse({"train", "mlp", "--data", o_, "--save", o_}), {"--save: found " + o_, "the file of --data"});
  expect_words(misuse({"run", model_, "--input", o_, "--output", o_}), {"--output: found " + o_, "file of --input"});
  expect_words(misuse(run({"--load", o_})), {"--output: found " + o_, "which is the file of --load"});
  expect_words(misuse({"run", model_, "--input", input_, "--output", model_}), {"which is the file of MODEL"});
}

TEST_F(K15, FlagsThatContradictTheModelOrItsFileAreRefused) {
  expect_words(misuse(train({"--load", data_, "--hidden", "3"})), {"--hidden and --load exclude each other"});
  expect_words(misuse(train({"--load", data_, "--normalise", "none"})), {"--normalise and --load exclude each other"});
  expect_words(misuse({"train", "linear", "--data", data_, "--save", o_, "--hidden", "3"}),
               {"--hidden: found it with model linear", "leave --hidden out, or use mlp"});
  expect_words(misuse({"explain", "mlp", "--op", "linear", "--shape", "2x3,4x3,4"}), {"--op"});
  expect_words(misuse({"explain", model_, "--data", data_}), {"--data"});
  expect_words(misuse({"graph", model_, "--dot", o_, "--svg", o_}), {"--svg, --dot: found both, expected one of them"});
}

TEST_F(K15, NoOptionIsAcceptedByAnAbbreviation) {
  for (const std::string command : {"train", "run"}) {
    const std::map<std::string, std::string> flags = flags_of(command);
    EXPECT_TRUE(flags.contains("--device") && flags.contains("--show-backend"));
    for (const auto& [flag, value] : flags)
      for (const std::string& shorter : {flag.substr(0, 4), flag.substr(0, flag.size() - 1)}) {
        if (flags.contains(shorter)) continue;
        const Outcome outcome = place_.tenon(command == "train" ? train({shorter, "1"}) : run({shorter + "=1"}));
        EXPECT_EQ(outcome.status, 2) << shorter;
        expect_words(outcome.err, {"unknown flag: found " + shorter + "\n"});
      }
  }
  EXPECT_EQ(read_file(o_), "known content");
}

TEST_F(K15, AValueMayStandBehindASpaceOrAnEqualsSign) {
  for (const std::string command : {"train", "run"})
    for (const auto& [flag, value] : flags_of(command)) {
      if (!value.starts_with(" ")) continue;
      // A word too many, so that nothing runs where the value would do.
      const Outcome apart = place_.tenon({command, model_, "stray", flag, "?"}),
                    together = place_.tenon({command, model_, "stray", flag + "=?"});
      EXPECT_EQ(apart.status, 2) << flag;
      EXPECT_EQ(together.err, apart.err);
    }
}

TEST_F(K15, BothWaysOfWritingValuesTrainTheSameModel) {
  std::vector<std::string> apart, together;
  for (const auto& [flag, value] : std::map<std::string, std::string>{{"--device", "cpu"},
                                                                      {"--backend", "compiled"},
                                                                      {"--dtype", "float32"},
                                                                      {"--seed", "7"},
                                                                      {"--threads", "1"},
                                                                      {"--hidden", "5,4"},
                                                                      {"--steps", "3"},
                                                                      {"--batch", "16"},
                                                                      {"--rate", "0.02"},
                                                                      {"--optimizer", "momentum"},
                                                                      {"--test-fraction", "0.25"},
                                                                      {"--normalise", "standard"}}) {
    apart.insert(apart.end(), {flag, value});
    together.push_back(flag + "=" + value);
  }
  const Outcome first = place_.tenon(train(apart));
  const std::string saved = read_file(o_);
  const Outcome second = place_.tenon(train(together));
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_NE(saved, "known content");
  EXPECT_EQ(read_file(o_), saved);
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(second.err, first.err);
}

TEST_F(K15, HelpEndsWithZeroOnStandardOutput) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--help"}, train({"--help"}), run({"--help"}), train({"--steps", "-1", "--help"})}) {
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0);
    expect_words(outcome.out, {"usage: tenon "});
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(read_file(o_), "known content");
  }
}

}  // namespace
}  // namespace tenon::test
