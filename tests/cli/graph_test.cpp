// `tenon graph`: the picture has every operation of the program, and nothing but a whole picture appears.
#include <nlohmann/json.hpp>
#include <regex>

#include "failures.h"

namespace tenon::test {
namespace {

const std::string weighted_sum = TENON_TEST_SOURCE_DIR "/examples/programs/weighted_sum.tenon";
const std::string absent = TENON_TEST_BUILD_DIR "/test-plugins/absent/absent.tenon.json";

class Graph : public testing::Test {
 protected:
  /// What the command writes to `file` in this folder.
  std::string drawn(std::vector<std::string> args, const std::string& file) {
    args.insert(args.begin(), "graph");
    args.insert(args.end(), {file.ends_with(".svg") ? "--svg" : "--dot", place_ / file});
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    out_ = outcome.out;
    err_ = outcome.err;
    return read_file(place_ / file);
  }

  bool has_graphviz() { return place_.shell("command -v dot").status == 0; }

  std::vector<std::string> capsules_of(std::vector<std::string> args, std::size_t part) {
    args.insert(args.begin(), "explain");
    args.push_back("--json");
    const nlohmann::json page = nlohmann::json::parse(place_.tenon(args).out);
    std::vector<std::string> out;
    for (const auto& operation : page["parts"][part]["operations"]) out.push_back(operation["capsule"]["name"]);
    return out;
  }

  std::size_t matches(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    return static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
  }

  Workplace place_;
  std::string out_, err_;
};

TEST_F(Graph, HasOneBoxForEachOperationWithItsCapsule) {
  const std::string dot = drawn({weighted_sum}, "a.dot");
  const std::vector<std::string> capsules = capsules_of({weighted_sum}, 0);
  ASSERT_EQ(capsules.size(), 2u);
  EXPECT_EQ(matches(dot, "\n    v[0-9]+ \\[label=\"%[0-9]+ [^\n]*shape=box"), capsules.size()) << dot;
  for (const std::string& capsule : capsules) EXPECT_EQ(count(dot, "\\n" + capsule + "\""), 1u) << dot;
  EXPECT_NE(dot.find("v4 [label=\"%4 linear\\nf32 (1, 3)\\ncpu.native.linear.f32\""), std::string::npos) << dot;
  EXPECT_EQ(out_, "graph: 2 operations drawn to " + (place_ / "a.dot").string() + "\n");
}

TEST_F(Graph, DrawsOnlyTheLeavesThatAreTaken) {
  const std::string dot = drawn({weighted_sum}, "a.dot");
  EXPECT_NE(dot.find("v0 [label=\"%0 parameter\\nfc1.weight\\nf32 (3, 2)\", shape=note"), std::string::npos) << dot;
  EXPECT_NE(dot.find("v2 [label=\"%2 input\\nx\\nf32 (1, 2)\", shape=ellipse"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("%3 natural"), std::string::npos) << dot;
  EXPECT_NE(dot.find("v2 -> v4;"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("cluster_gradient"), std::string::npos) << dot;
}

TEST_F(Graph, OfTrainingFramesTheGradient) {
  const std::string dot = drawn({weighted_sum, "--training", "--extent", "batch=8"}, "a.dot");
  const std::size_t frame = dot.find("cluster_gradient");
  ASSERT_NE(frame, std::string::npos) << dot;
  EXPECT_LT(dot.find("%5 cross_entropy\\n"), frame);
  EXPECT_GT(dot.find("%7 cross_entropy_grad\\n"), frame);
  EXPECT_NE(dot.find("r7_3 [label=\"%3 label\", shape=plaintext"), std::string::npos) << dot;
  EXPECT_EQ(matches(dot, "\n    v[0-9]+ \\["), capsules_of({weighted_sum}, 1).size()) << dot;
}

TEST_F(Graph, IsDrawnByGraphviz) {
  if (!has_graphviz()) GTEST_SKIP() << "the program dot is not installed";
  const std::string svg = drawn({weighted_sum, "--training"}, "a.svg");
  const std::vector<std::string> capsules = capsules_of({weighted_sum}, 1);
  EXPECT_EQ(matches(svg, "<title>v[0-9]+</title>"), capsules.size() + 4) << svg;
  for (const std::string& capsule : capsules) EXPECT_NE(svg.find(">" + capsule + "<"), std::string::npos) << capsule;
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

/// Lines come into a frame from above.
TEST_F(Graph, HasNoLineThroughTheNameOfAFrame) {
  if (!has_graphviz()) GTEST_SKIP() << "the program dot is not installed";
  const std::string svg = drawn({weighted_sum, "--training"}, "a.svg");
  const auto height = [](const std::string& number) { return std::stod(number); };  // grows downwards, from -h to 0
  std::smatch name;
  ASSERT_TRUE(std::regex_search(
      svg, name, std::regex("<title>cluster_forward</title>[^]*?<text [^>]*y=\"([-.0-9]+)\"[^>]*>forward and loss<")));
  const double top = height(name[1]) - 12;  // of its letters
  std::size_t lines = 0;
  const std::regex line("<title>v[0-9]+&#45;&gt;v([0-9]+)</title>\n<path [^>]* d=\"([^\"]*)\""), point(",([-.0-9]+)");
  for (std::sregex_iterator at(svg.begin(), svg.end(), line), end; at != end; ++at) {
    if (std::stoul((*at)[1]) > 5) continue;  // of the gradient, in a frame beside it
    ++lines;
    const std::string path = (*at)[2];
    for (std::sregex_iterator p(path.begin(), path.end(), point); p != std::sregex_iterator(); ++p)
      EXPECT_LT(height((*p)[1]), top) << path;
  }
  EXPECT_EQ(lines, 5u) << svg;
}

TEST_F(Graph, KeepsEveryLetterOfANameAndTakesNoneForItsOwn) {
  const std::string file = place_.write("p.tenon",
                                        "tenon program 1\n"
                                        "name \"a \\\"b\\\" & &lt; <c>\"\n"
                                        "%x = input \"in\\\\N put\" : (2)\n"
                                        "%s = state \"s]; v9 [\" : (2) = 0\n"
                                        "\n"
                                        "forward\n"
                                        "  %y = add(%x, %s)\n"
                                        "  return %y\n");
  const std::string dot = drawn({file}, "a.dot");
  EXPECT_NE(dot.find("digraph \"a \\\"b\\\" &amp; &amp;lt; <c>\" {"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\"%0 state\\ns]; v9 [\\n"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\"%1 input\\nin\\\\N put\\n"), std::string::npos) << dot;
  if (!has_graphviz()) GTEST_SKIP() << "the program dot is not installed";
  const std::string svg = drawn({file}, "a.svg");
  EXPECT_NE(svg.find("a &quot;b&quot; &amp; &amp;lt; &lt;c&gt; on cpu:0"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">in\\N put<"), std::string::npos) << svg;
  EXPECT_EQ(matches(svg, "<title>v[0-9]+</title>"), 3u) << svg;
}

TEST_F(Graph, ShowsWhatReplacesAState) {
  const std::string file = place_.write("p.tenon",
                                        "tenon program 1\n"
                                        "name p\n"
                                        "%x = input x : (2)\n"
                                        "%s = state s : (2) = 0\n"
                                        "\n"
                                        "forward\n"
                                        "  %y = add(%x, %s)\n"
                                        "  update_state(%s, %y)\n"
                                        "  return %y\n");
  EXPECT_NE(drawn({file}, "a.dot").find("  v2 -> v0 [style=bold"), std::string::npos);
}

TEST_F(Graph, PaintsRedWhatNothingServes) {
  const std::string dot = drawn({weighted_sum, "--plugin", absent, "--device", "absent"}, "a.dot");
  EXPECT_EQ(count(dot, "\\nno capsule\", shape=box, fillcolor=\"#ffd9d6\""), 2u) << dot;
  EXPECT_NE(err_.find("no device was opened: acme/absent:0: libabsent.so.1 is not installed"), std::string::npos);
  EXPECT_NE(out_.find("2 of them red: without a capsule on acme/absent:0"), std::string::npos) << out_;
  EXPECT_EQ(count(drawn({weighted_sum, "--device", "tpu"}, "b.dot"), "no capsule"), 2u);
}

TEST_F(Graph, LeavesTheOldPictureWhereItCannotDrawANewOne) {
  const std::string old = place_.write("a.svg", "the old one"), broken = place_.write("p.tenon", "nonsense");
  place_.set("PATH", place_ / "nowhere");
  const std::string err = expect_failure(place_, {"graph", weighted_sum, "--svg", old});
  EXPECT_NE(err.find("[graph] --svg: Graphviz's program dot cannot be run: No such file or directory"),
            std::string::npos)
      << err;
  EXPECT_NE(err.find("install the package graphviz, or use --dot FILE"), std::string::npos) << err;
  expect_failure(place_, {"graph", broken, "--dot", old});
}

TEST_F(Graph, TellsADotThatFailsFromOneThatIsMissing) {
  const std::string old = place_.write("a.svg", "the old one");
  const auto said_with = [&](const std::string& script) {
    fs::create_directory(place_ / "bin");
    fs::permissions(place_.write("bin/dot", "#!/bin/sh\n" + script + "\n"), fs::perms::owner_all);
    place_.set("PATH", (place_ / "bin").string() + ":/usr/bin:/bin");
    return expect_failure(place_, {"graph", weighted_sum, "--svg", old});
  };
  for (const auto& [script, words] :
       {std::pair("echo 'Error: syntax error in line 1' >&2; exit 3", "status 3: Error: syntax error in line 1"),
        std::pair("exit 1", "status 1"), std::pair("kill -9 $$", "ended by signal 9 (Killed)"),
        std::pair("echo 'Error: gone' >&2; kill -9 $$", "ended by signal 9 (Killed): Error: gone"),
        std::pair("exit 0", "found no SVG in what it wrote"),
        std::pair("echo hello", "found no SVG in what it wrote")}) {
    const std::string err = said_with(script);
    EXPECT_NE(err.find(std::string("[graph] --svg: Graphviz's program dot failed: ") + words + "\n"), std::string::npos)
        << err;
    EXPECT_NE(err.find("use --dot FILE and draw the graph elsewhere"), std::string::npos) << err;
    EXPECT_EQ(err.find("install the package"), std::string::npos) << err;
  }
  EXPECT_EQ(read_file(old), "the old one");
}

TEST_F(Graph, RefusesWhatItCannotDraw) {
  const std::string file = place_.write("p.tenon", read_file(weighted_sum)),
                    data = place_.write("d.csv", three_classes());
  const auto expect_words = [&](const std::vector<std::string>& args, const std::string& words) {
    const std::string err = expect_misuse(place_, args);
    EXPECT_NE(err.find(words), std::string::npos) << err;
  };
  expect_words({"graph", file}, "--svg, --dot: found neither");
  expect_words({"graph", file, "--svg", "a", "--dot", "b"}, "--svg, --dot: found both");
  expect_words({"graph", file, "--dot", file}, "which is the file of the program");
  expect_words({"graph", "mlp", "--data", data, "--dot", data}, "which is the file of --data");
  expect_words({"graph", file, "--dot", "a", "--extent", "bath=2"}, "did you mean batch?");
  const std::string standardise = TENON_TEST_SOURCE_DIR "/examples/programs/standardise.tenon";
  const std::string err = expect_failure(place_, {"graph", standardise, "--training", "--dot", place_ / "a.dot"});
  EXPECT_NE(err.find("program standardise has no loss"), std::string::npos) << err;
}

TEST_F(Graph, MayBeWrittenToAFileNamedLikeItsModel) {
  const std::string data = place_.write("d.csv", three_classes());
  const Outcome outcome =
      place_.shell("cd \"" + (place_ / "").string() + "\" && \"$TENON\" graph mlp --data '" + data + "' --dot mlp");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(read_file(place_ / "mlp").substr(0, 13), "digraph \"mlp\"");
}

TEST_F(Graph, AndExplainRunNothingThatCouldBeWatched) {
  for (const std::vector<std::string>& flag : {std::vector<std::string>{"--profile"}, {"--trace", "t.json"}})
    for (std::vector<std::string> command :
         {std::vector<std::string>{"explain", weighted_sum}, {"graph", weighted_sum}}) {
      command.insert(command.end(), flag.begin(), flag.end());
      EXPECT_NE(expect_misuse(place_, command).find(flag[0]), std::string::npos) << command[0];
    }
}

}  // namespace
}  // namespace tenon::test
