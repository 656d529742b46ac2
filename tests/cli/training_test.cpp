// Training, saving and running again; what is refused on the way: the list, 6-acceptance K8, K14.
#include <algorithm>

#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

class Training : public testing::Test {
 protected:
  std::vector<std::string> with(std::vector<std::string> args, const std::vector<std::string>& more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  std::vector<std::string> train(const std::vector<std::string>& more) {
    return with({"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "3"}, more);
  }
  std::string saved(const std::string& name, const std::vector<std::string>& more) {
    const Outcome outcome = place_.tenon(train(with(more, {"--save", (place_ / name).string()})));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(place_ / name);
  }
  std::string model() {
    saved("model.safetensors", {});
    return (place_ / "model.safetensors").string();
  }
  std::vector<std::string> run(const std::string& kind, const std::string& load, const std::string& input) {
    return {"run", kind, "--load", load, "--input", input, "--output", (place_ / "out.csv").string()};
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(Training, PrintsResultsOnStandardOutputAndTheRestOnStandardError) {
  const Outcome outcome = place_.tenon(train({}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto results = lines(outcome.out);
  ASSERT_EQ(results.size(), 2u) << outcome.out;
  EXPECT_TRUE(results[0].starts_with("training loss ")) << results[0];
  EXPECT_TRUE(results[1].starts_with("test accuracy ")) << results[1];
  const auto log = lines(outcome.err);
  EXPECT_EQ(log[0], "dtype: float32 (binary32, strict: the same bits on every device)");
  EXPECT_EQ(log[1], "backend: eager");
  EXPECT_EQ(log[2], "device: auto");
  EXPECT_EQ(lines_that_begin_with(outcome.err, "auto: cpu:0 taken; ").size(), 1u) << outcome.err;
  EXPECT_GE(lines_that_begin_with(outcome.err, "epoch ").size(), 1u);
}

TEST_F(Training, OfANamedDeviceHasNoAutoLine) {
  const Outcome outcome = place_.tenon(train({"--device", "cpu"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(lines_that_begin_with(outcome.err, "auto:").size(), 0u);
}

TEST_F(Training, GivesTheSameBytesForOneSeedAndOthersForAnother) {
  const std::string first = saved("1", {"--seed", "7"});
  EXPECT_EQ(first, saved("2", {"--seed=7", "--threads", "1"}));
  EXPECT_EQ(first, saved("3", {"--seed", "7", "--device", "cpu", "--show-backend"}));
  EXPECT_NE(first, saved("4", {"--seed", "8"}));
}

TEST_F(Training, OfNoStepsSavesTheInitialParameters) {
  EXPECT_EQ(saved("1", {"--steps", "0"}), saved("2", {"--steps", "0", "--rate", "1"}));
  EXPECT_NE(saved("1", {"--steps", "0"}), saved("3", {"--steps", "1"}));
}

TEST_F(Training, StepsLimitAllEpochsTogether) {
  const Outcome outcome = place_.tenon(train({"--steps", "3"}));
  EXPECT_NE(outcome.out.find(" after 3 steps on 48 rows"), std::string::npos) << outcome.out;
}

TEST_F(Training, WorksInEveryExecutableDType) {
  for (const char* dtype : {"float32", "float32:fast", "float"}) {
    const Outcome outcome = place_.tenon(train({"--dtype", dtype, "--epochs=30"}));
    EXPECT_EQ(outcome.status, 2);  // --epochs twice
  }
  for (const char* dtype : {"float32", "float32:fast", "float"}) {
    const Outcome outcome = place_.tenon({"train", "mlp", "--data", data_, "--epochs", "40", "--dtype", dtype});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("test accuracy 100.00 %"), std::string::npos) << outcome.out;
  }
}

TEST_F(Training, EveryOptimizerLearns) {
  for (const char* optimizer : {"adam", "adamw", "momentum", "sgd"}) {
    const Outcome outcome =
        place_.tenon({"train", "mlp", "--data", data_, "--epochs", "60", "--optimizer", optimizer, "--rate", "0.02"});
    EXPECT_NE(outcome.out.find("test accuracy 100.00 %"), std::string::npos) << optimizer << outcome.out << outcome.err;
  }
}

TEST_F(Training, OfALineFindsIt) {
  std::string line = "x,y\n";
  for (int i = 0; i < 100; ++i) line += std::to_string(i) + "," + std::to_string(1000 + 3 * i) + "\n";
  const std::string data = place_.write("line.csv", line), saved = (place_ / "line").string();
  const Outcome outcome = place_.tenon({"train", "linear", "--data", data, "--save", saved});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string key = "test mean squared error ";
  ASSERT_NE(outcome.out.find(key), std::string::npos) << outcome.out;
  EXPECT_LT(std::stod(outcome.out.substr(outcome.out.find(key) + key.size())), 1.0);
  ASSERT_EQ(place_.tenon(run("linear", saved, place_.write("in.csv", "x\n10\n50\n"))).status, 0);
  const auto rows = lines(read_file(place_ / "out.csv"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], "prediction");
  EXPECT_NEAR(std::stod(rows[1]), 1030, 2);
  EXPECT_NEAR(std::stod(rows[2]), 1150, 2);
}

TEST_F(Training, RunsAgainFromItsFile) {
  const Outcome outcome = place_.tenon(run("mlp", model(), data_));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "rows 60\n");
  const auto rows = lines(read_file(place_ / "out.csv"));
  ASSERT_EQ(rows.size(), 61u);
  EXPECT_EQ(rows[0], "prediction,p0,p1,p2");
}

TEST_F(Training, GoesOnFromItsFile) {
  const std::string start = model();
  const Outcome outcome = place_.tenon(
      {"train", "mlp", "--data", data_, "--load", start, "--steps", "0", "--save", (place_ / "same").string()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(read_file(start), read_file(place_ / "same"));
}

TEST_F(Training, GoesOnWithTheFilesColumnsWhateverTheirOrder) {
  const std::string start = model();
  const auto go_on = [&](const std::string& data, const std::string& name) {
    const Outcome outcome = place_.tenon(
        {"train", "mlp", "--data", data, "--load", start, "--epochs", "2", "--save", (place_ / name).string()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out + read_file(place_ / name);
  };
  const std::string other_order = place_.write("lcba.csv", columns_reversed(three_classes()));
  EXPECT_EQ(go_on(data_, "1"), go_on(other_order, "2"));
}

TEST_F(Training, DoesNotGoOnWithoutTheFilesColumns) {
  const std::string start = model();
  const auto refused = [&](const std::string& header) {
    const std::string data = place_.write("other.csv", header + "\n1,2,3,0\n3,2,1,1\n");
    return expect_failure(place_, {"train", "mlp", "--data", data, "--load", start, "--save", (place_ / "x").string()});
  };
  const std::string feature = refused("a,b,d,label");
  EXPECT_NE(feature.find("missing \"c\", not known \"d\""), std::string::npos) << feature;
  EXPECT_NE(feature.find("CHECKPOINT_MISMATCH"), std::string::npos) << feature;
  const std::string label = refused("a,b,c,target");
  EXPECT_NE(label.find("no column named \"label\""), std::string::npos) << label;
  EXPECT_NE(label.find("CHECKPOINT_MISMATCH"), std::string::npos) << label;
}

TEST_F(Training, GoesOnWithALabelOfAnotherNameWhereTheUserGivesIt) {
  const std::string data = place_.write("named.csv", "class,c,b,a\n0,1,2,9\n2,9,3,1\n");
  const Outcome outcome =
      place_.tenon({"train", "mlp", "--data", data, "--load", model(), "--label", "class", "--test-fraction", "0"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Training, AndRunningInAWiderDTypeWidenAndSaySo) {
  const std::string start = model();
  for (std::vector<std::string> args :
       {std::vector<std::string>{"train", "mlp", "--data", data_, "--load", start, "--epochs", "1"},
        run("mlp", start, data_)}) {
    const Outcome same = place_.tenon(args);
    EXPECT_EQ(same.err.find("widened"), std::string::npos) << same.err;
    args.insert(args.end(), {"--dtype", "float"});
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.err.find("note: " + start + " holds f32, widened to f64"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("dtype: float is f64 on cpu:0"), std::string::npos) << outcome.err;
  }
}

TEST_F(Training, InANarrowerDTypeIsRefused) {
  saved("wide", {"--dtype", "float"});
  const std::string err = expect_failure(place_, run("mlp", (place_ / "wide").string(), data_));
  EXPECT_NE(err.find("too wide fc1.weight: the file has f64 (8, 3), the model f32 (8, 3)"), std::string::npos) << err;
  EXPECT_NE(err.find("use --dtype float"), std::string::npos);
}

TEST_F(Training, AnotherModelsFileIsRefusedInOneReport) {
  const std::string err = expect_failure(place_, run("linear", model(), data_));
  for (const char* part : {"another model: the file says \"mlp\", expected linear",
                           "mismatched fc1.weight: the file has f32 (8, 3), the model f32 (1, 3)",
                           "missing label.offset: the model has f64 (1)", "extra fc2.weight: the file has f32 (3, 8)",
                           "reason: CHECKPOINT_MISMATCH"})
    EXPECT_NE(err.find(part), std::string::npos) << part << "\n" << err;
}

TEST_F(Training, OtherColumnsThanTheModelsAreNamed) {
  const std::string err = expect_failure(place_, run("mlp", model(), place_.write("in.csv", "a,b,d\n1,2,3\n")));
  EXPECT_NE(err.find("missing \"c\", not known \"d\""), std::string::npos) << err;
}

struct BadData {
  std::string text, found;
};

TEST_F(Training, RefusesBadData) {
  const std::string saved = place_.write("o.safetensors", "known content");
  for (const BadData& bad :
       {BadData{"a,label\n1,0\nx,1\n", "bad.csv:3: "}, BadData{"a,label\n1,0\n2\n", "bad.csv:3: "},
        BadData{"", "bad.csv"}, BadData{"a,label\n", "bad.csv"}, BadData{"a,label\n1,0\n2,-1\n", "bad.csv:3: "},
        BadData{"a,label\n1,0.5\n", "bad.csv:2: column label: found the label 0.5"},
        BadData{"a,label\n1,70000\n", "found the label 70000"},
        BadData{"label\n1\n0\n", "alone, expected features too"}}) {
    const std::string err =
        expect_failure(place_, {"train", "mlp", "--data", place_.write("bad.csv", bad.text), "--save", saved});
    EXPECT_NE(err.find(bad.found), std::string::npos) << err;
  }
  EXPECT_NE(
      expect_failure(place_, {"train", "mlp", "--data", "/nonexistent.csv", "--save", saved}).find("/nonexistent.csv"),
      std::string::npos);
  EXPECT_NE(expect_failure(place_, train({"--label", "lable", "--save", saved})).find("no column named \"lable\""),
            std::string::npos);
}

TEST_F(Training, RefusesALabelBeyondTheFilesClasses) {
  const std::string start = model();
  const std::string data = place_.write("more.csv", "a,b,c,label\n1,2,3,0\n1,2,3,5\n");
  const std::string err =
      expect_failure(place_, {"train", "mlp", "--data", data, "--load", start, "--test-fraction", "0"});
  EXPECT_NE(err.find("more.csv:3: column label: found the label 5"), std::string::npos) << err;
  EXPECT_NE(err.find("the checkpoint has classes 0 to 2 only"), std::string::npos) << err;
}

TEST_F(Training, RefusesPlacesThatCannotBeWritten) {
  EXPECT_NE(expect_failure(place_, train({"--save", "/nonexistent/x"})).find("/nonexistent"), std::string::npos);
  EXPECT_NE(expect_failure(place_, train({"--save", "/dev/full"})).find("/dev/full"), std::string::npos);
  const Outcome outcome = place_.tenon(train({"--save", (place_ / "x").string()}), "/dev/full");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_FALSE(fs::exists(place_ / "x"));
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u);
}

TEST_F(Training, BeyondAFileSizeLimitSavesNothingAndSaysSo) {
  const Outcome outcome =
      place_.shell("ulimit -f 4\nexec \"$TENON\" train mlp --data d.csv --hidden 512 --steps 1 --save x");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find("FILE_WRITE_FAILED"), std::string::npos) << outcome.err;
  EXPECT_EQ(place_.contents().size(), 1u);  // the data
}

TEST_F(Training, ThatDivergesSavesNothing) {
  const std::string err =
      expect_failure(place_, train({"--optimizer", "sgd", "--rate", "1e30", "--save", (place_ / "x").string()}));
  EXPECT_NE(err.find("the training diverged"), std::string::npos) << err;
}

TEST_F(Training, ShowsEachCapsuleOnceAndOnTheDeviceThatRan) {
  const Outcome outcome = place_.tenon(train({"--show-backend"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  auto capsules = lines_that_begin_with(outcome.err, "capsule: ");
  for (const char* op : {"init_uniform", "fill", "linear", "relu", "cross_entropy", "relu_grad", "adam", "softmax"})
    EXPECT_EQ(lines_that_begin_with(outcome.err, std::string("capsule: ") + op + " ").size(), 1u) << op;
  for (const std::string& line : capsules) EXPECT_NE(line.find(" on cpu:0 |"), std::string::npos) << line;
  std::ranges::sort(capsules);
  EXPECT_EQ(std::ranges::adjacent_find(capsules), capsules.end());
  EXPECT_EQ(lines_that_begin_with(outcome.err, "session: ").size(), 2u);
  EXPECT_EQ(lines_that_begin_with(outcome.err, "calls: ").size(), 1u);
  EXPECT_EQ(outcome.out, place_.tenon(train({})).out);
  EXPECT_EQ(place_.tenon({"train", "mlp", "--data", data_, "--steps", "1", "--device", "cpu:0"}).status, 0);
}

TEST_F(Training, ReportIsAGoldenPage) {
  const fs::path installed = place_.install();
  const Outcome outcome = place_.tenon(train({"--show-backend", "--device", "cpu"}));
  std::string page;
  for (const std::string& line : lines(outcome.err))
    if (line.starts_with("session: ") || line.starts_with("capsule: ") || line.starts_with("calls: "))
      page += line + "\n";
  expect_golden("show_backend.txt", normalised(page, installed));
}

}  // namespace
}  // namespace tenon::test
