// The command line: 6-acceptance K15, K1, K10.
#include "command.h"
#include "failures.h"

namespace tenon::test {
namespace {

struct Misuse {
  std::vector<std::string> args;  // after `train mlp --data D --save O`
  std::string found, hint;        // both are parts of the error
};

std::ostream& operator<<(std::ostream& out, const Misuse& misuse) {
  for (const std::string& word : misuse.args) out << word << ' ';
  return out;
}

class CommandLineSurprise : public testing::TestWithParam<Misuse> {
 protected:
  Workplace place_;
};

TEST_P(CommandLineSurprise, IsAUsageErrorThatTouchesNothing) {
  const std::string data = place_.write("d.csv", three_classes()),
                    saved = place_.write("o.safetensors", "known content");
  std::vector<std::string> args{"train", "mlp", "--data", data, "--save", saved};
  args.insert(args.end(), GetParam().args.begin(), GetParam().args.end());
  const std::string err = expect_misuse(place_, args);
  EXPECT_TRUE(err.starts_with("error: ")) << err;  // nothing was begun
  EXPECT_NE(err.find(GetParam().found), std::string::npos) << err;
  EXPECT_NE(err.find(GetParam().hint), std::string::npos) << err;
}

INSTANTIATE_TEST_SUITE_P(
    K15, CommandLineSurprise,
    testing::Values(
        Misuse{{"--devcie", "cpu"}, "unknown flag: found --devcie", "did you mean --device?"},
        Misuse{{"--dev", "cpu"}, "unknown flag: found --dev", ""},
        Misuse{{"--device"}, "--device: missing value, expected auto, cpu, cuda", ""},
        Misuse{{"--device", ""}, "--device: found an empty value", ""},
        Misuse{{"--device="}, "--device: found an empty value", ""},
        Misuse{{"--device", "cpu", "--device", "vendor"}, "--device: given twice", ""},
        Misuse{{"--device", "cpu,vendor"}, "cpu,vendor", "valid names: auto, cpu, cuda"},
        Misuse{{"--device", "cudaa"}, "cudaa", "did you mean --device cuda?"},
        Misuse{{"--backend", "fast"}, "--backend: found \"fast\", expected eager or compiled", ""},
        Misuse{{"--steps", "-1"}, "--steps: found \"-1\"", ""},
        Misuse{{"--steps", "1e3"}, "--steps: found \"1e3\"", ""},
        Misuse{{"--steps", "99999999999999999999"}, "--steps: found \"99999999999999999999\"", ""},
        Misuse{{"--seed", "12abc"}, "--seed: found \"12abc\"", ""},
        Misuse{{"--show-backend=maybe"}, "--show-backend: found \"maybe\"", ""},
        Misuse{{"stray"}, "unexpected argument: found \"stray\"", ""},
        Misuse{{"--dtype", "float", "--float32-mode", "fast"}, "--dtype and --float32-mode exclude each other", ""},
        Misuse{{"--load", "x", "--hidden", "3"}, "--hidden and --load exclude each other", ""},
        Misuse{{"--load", "x", "--normalise", "none"}, "--normalise and --load exclude each other", ""},
        Misuse{{"--epochs", "0"}, "--epochs: found \"0\"", ""}, Misuse{{"--batch", "0"}, "--batch: found \"0\"", ""},
        Misuse{{"--rate", "0"}, "--rate: found \"0\", expected a number above 0", ""},
        Misuse{{"--rate", "nan"}, "--rate: found \"nan\"", ""}, Misuse{{"--rate", "inf"}, "--rate: found \"inf\"", ""},
        Misuse{{"--test-fraction", "1"}, "--test-fraction: found \"1\"", ""},
        Misuse{{"--optimizer", "adm"},
               "--optimizer: found \"adm\", expected adam, sgd, momentum, adamw",
               "did you mean adam?"},
        Misuse{{"--normalise", "ranges"}, "--normalise: found \"ranges\"", "did you mean range?"},
        Misuse{{"--hidden", "3,,4"}, "--hidden: found \"3,,4\", expected widths", ""},
        Misuse{{"--hidden", "0"}, "--hidden: found \"0\"", ""},
        Misuse{{"--hidden", "99999999999"}, "--hidden: found \"99999999999\"", ""}));

class Usage : public testing::Test {
 protected:
  Workplace place_;
};

TEST_F(Usage, UnknownCommandsAndModelsSuggestTheNearest) {
  EXPECT_NE(expect_misuse(place_, {"tran"}).find("did you mean train?"), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"train", "mpl", "--data", "x"}).find("expected one of linear, mlp"),
            std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"train", "--data", "x"}).find("MODEL: missing"), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {}).find("no command given"), std::string::npos);
}

TEST_F(Usage, MissingFilesOfACommandAreNamed) {
  EXPECT_NE(expect_misuse(place_, {"train", "mlp"}).find("--data: missing"), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"run", "mlp"}).find("--load: missing"), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"run", "mlp", "--load", "c"}).find("--input: missing"), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"run", "mlp", "--load", "c", "--input", "i"}).find("--output: missing"),
            std::string::npos);
}

TEST_F(Usage, AnOutputMustNotBeAnInput) {
  const std::string data = place_.write("d.csv", three_classes());
  EXPECT_NE(expect_misuse(place_, {"train", "mlp", "--data", data, "--save", data}).find("which is the file of --data"),
            std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"run", "mlp", "--load", "c", "--input", data, "--output", data}).find("of --input"),
            std::string::npos);
}

/// Of two results in one file one would be lost.
TEST_F(Usage, TwoOutputsMustNotBeOneFileHoweverItIsSpelled) {
  const std::string data = place_.write("d.csv", three_classes()),
                    program = TENON_TEST_SOURCE_DIR "/examples/programs/weighted_sum.tenon";
  fs::create_directory(place_ / "sub");
  fs::create_symlink("out", place_ / "dangling");
  fs::create_symlink(".", place_ / "here");
  const std::string spellings[] = {"out",      "./out",        "sub/../out",
                                   "dangling", "./dangling",   "here/out",
                                   ".//out",   "\"$PWD\"/out", "here/sub/.././dangling"};
  const auto before = place_.contents();
  const auto expect_refused = [&](const std::string& command, const std::string& trace, const std::string& flag) {
    const Outcome outcome = place_.shell("\"$TENON\" " + command + " --trace " + trace);
    EXPECT_EQ(outcome.status, 2) << command << " --trace " << trace << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(", which is the file of " + flag + ", expected another one"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(place_.contents(), before);
    fs::remove(place_ / "out");
  };
  for (const std::string& first : spellings)
    for (const std::string& second : spellings) {
      expect_refused("train linear --data d.csv --steps 1 --save " + first, second, "--save");
      expect_refused("run linear --load c --input d.csv --output " + first, second, "--output");
      expect_refused("run '" + program + "' --load c --input d.csv --output " + first, second, "--output");
    }
}

TEST_F(Usage, TwoOutputsOfOneNameInTwoFoldersAreTwoFiles) {
  place_.write("d.csv", three_classes());
  fs::create_directory(place_ / "sub");
  const Outcome outcome = place_.shell("\"$TENON\" train linear --data d.csv --steps 1 --save out --trace sub/out");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(read_file(place_ / "sub/out").starts_with("{"));
  EXPECT_NE(read_file(place_ / "out").find("tenon"), std::string::npos);
}

TEST_F(Usage, HelpAndVersionGoToStandardOutput) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"-h"},
                                             {"--version"},
                                             {"train", "--help"},
                                             {"run", "--help"},
                                             {"explain", "--help"},
                                             {"graph", "--help"},
                                             {"devices", "--help"},
                                             {"plugins", "-h"},
                                             {"capsules", "--help"},
                                             {"models", "--help"},
                                             {"train", "mlp", "--epochs", "x", "--help"}}) {
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << args.back();
    EXPECT_NE(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
    for (const std::string& line : lines(outcome.out)) EXPECT_LE(line.size(), 100u) << line;
  }
}

/// Synopses beside summaries, each in its own column.
TEST_F(Usage, TheListOfCommandsHasTwoColumns) {
  const std::vector<std::string> page = lines(place_.tenon({"--help"}).out);
  const auto begin = std::ranges::find(page, "commands") + 1, end = std::find(begin, page.end(), "");
  ASSERT_EQ(static_cast<std::size_t>(end - begin), cli::commands().size());
  std::size_t column = 0;
  for (const cli::Command* command : cli::commands())
    column = std::max(column, 2 + command->name.size() + 1 + command->words.size() + 2);
  for (std::size_t i = 0; i < cli::commands().size(); ++i) {
    const cli::Command& command = *cli::commands()[i];
    std::string expected = "  " + std::string(command.name) + " " + std::string(command.words);
    expected.resize(column, ' ');
    EXPECT_EQ(begin[static_cast<std::ptrdiff_t>(i)], expected + std::string(command.summary));
  }
}

TEST_F(Usage, ListingsTakeNoWords) {
  for (const char* command : {"devices", "plugins", "capsules", "models"})
    EXPECT_NE(expect_misuse(place_, {command, "stray"}).find("\"stray\""), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"capsules", "--op", "liner"}).find("did you mean linear?"), std::string::npos);
}

TEST_F(Usage, AFullDiskBehindStandardOutputIsAnError) {
  for (const char* command : {"devices", "plugins", "capsules", "models", "--help", "--version"}) {
    const Outcome outcome = place_.tenon({command}, "/dev/full");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_TRUE(outcome.err.starts_with("error: [output] standard output: ")) << outcome.err;
  }
}

/// What had been written by then stays, and what had not is named.
TEST_F(Usage, AFullDiskBehindStandardOutputSaysNothingFalseAboutFiles) {
  place_.write("d.csv", three_classes());
  const Outcome made = place_.shell("mkdir nn; \"$TENON\" new-plugin abc --into nn >/dev/full");
  EXPECT_EQ(made.status, 1);
  EXPECT_TRUE(made.err.ends_with("  next: see where standard output goes: it must be open and have room\n"))
      << made.err;
  EXPECT_TRUE(fs::exists(place_ / "nn/abc/CMakeLists.txt"));
  const Outcome trained = place_.shell("\"$TENON\" train linear --data d.csv --steps 1 --save s --trace t >/dev/full");
  EXPECT_EQ(trained.status, 1);
  EXPECT_TRUE(trained.err.ends_with(": it must be open and have room; s was not written\n")) << trained.err;
  EXPECT_FALSE(fs::exists(place_ / "s"));
  EXPECT_TRUE(fs::exists(place_ / "t"));
}

constexpr int sigpipe = 128 + 13;  // how a shell shows a program that SIGPIPE has ended

/// Runs the command with a standard output whose reader has gone; its status instead of what it wrote.
Outcome run_into_closed_pipe(const Workplace& place, const std::string& command) {
  return place.shell("mkfifo go\n{ read line <go; \"$TENON\" " + command +
                     "; echo $? >status; } | { exec <&-; echo closed >go; }\nrm go; cat status; rm status");
}

TEST_F(Usage, AReaderThatHasSeenEnoughEndsTheProgramWithoutAWord) {
  for (const std::string command : {"models", "devices", "capsules --json", "--help", "train --help", "--version"}) {
    const Outcome outcome = run_into_closed_pipe(place_, command);
    EXPECT_EQ(outcome.out, std::to_string(sigpipe) + "\n") << command;
    EXPECT_EQ(outcome.err, "") << command;
  }
}

TEST_F(Usage, AReaderThatHasGoneTakesNoFileWithIt) {
  place_.write("d.csv", three_classes());
  const Outcome outcome = run_into_closed_pipe(place_, "train linear --data d.csv --steps 1 --save s --trace t");
  EXPECT_EQ(outcome.out, std::to_string(sigpipe) + "\n");
  EXPECT_EQ(count(outcome.err, "error"), 0u) << outcome.err;
  EXPECT_EQ(count(outcome.err, "saved s\n"), 1u) << outcome.err;
  EXPECT_TRUE(fs::exists(place_ / "s"));
  EXPECT_TRUE(fs::exists(place_ / "t"));
}

TEST_F(Usage, AReaderThatHasGoneHidesNoFailure) {
  const Outcome outcome = run_into_closed_pipe(
      place_, "explain '" TENON_TEST_SOURCE_DIR "/examples/programs/weighted_sum.tenon' --device tpu");
  EXPECT_EQ(outcome.out, "1\n");
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: [device] tpu: ").size(), 1u) << outcome.err;
}

}  // namespace
}  // namespace tenon::test
