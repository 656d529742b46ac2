// `tenon explain`: which capsule serves each operation, and why not another.
#include <nlohmann/json.hpp>

#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

const std::string example = TENON_TEST_SOURCE_DIR "/examples/programs/weighted_sum.tenon";

class Explain : public testing::Test {
 protected:
  std::string text(const std::vector<std::string>& args) {
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
  nlohmann::json json(const std::vector<std::string>& args) { return nlohmann::json::parse(text(args)); }

  Workplace place_;
};

TEST_F(Explain, OfAProgramIsAGoldenPage) {
  const fs::path installed = place_.install();
  expect_golden("explain.txt", normalised(text({"explain", example, "--extent", "batch=32"}), installed));
}

TEST_F(Explain, SaysForProgramsWhatItSaysForPeople) {
  const nlohmann::json page = json({"explain", example, "--json", "--dtype", "float"});
  EXPECT_EQ(page["program"], "weighted_sum");
  EXPECT_EQ(page["real"], "f64");
  EXPECT_EQ(page["opened"], true);
  EXPECT_TRUE(page["unopened"].is_null());
  EXPECT_EQ(page["memory_domain"], "host");
  EXPECT_EQ(page["leaves"][2], "%2 = input x : (1, 2)");
  ASSERT_EQ(page["parts"].size(), 2u);
  const nlohmann::json& linear = page["parts"][0]["operations"][0];
  EXPECT_EQ(linear["op"], "linear");
  EXPECT_EQ(linear["text"], "%4 = linear(%2, %0, %1) : (1, 3)");
  EXPECT_EQ(linear["capsule"]["provider"], "native");
  EXPECT_EQ(linear["rejected"][0]["code"], "OTHER_DTYPE");
  EXPECT_EQ(page["parts"][1]["mode"], "training");
}

TEST_F(Explain, OfAModelTakesItsSizesFromDataOrACheckpoint) {
  const std::string data = place_.write("d.csv", three_classes()), saved = place_ / "m.safetensors";
  const std::string page = text({"explain", "mlp", "--data", data, "--hidden", "8", "--extent", "batch=5"});
  EXPECT_NE(page.find("= linear(%4, %0, %1) : (5, 8)"), std::string::npos) << page;
  EXPECT_NE(page.find("cross_entropy_grad"), std::string::npos) << page;
  text({"train", "mlp", "--data", data, "--hidden", "8", "--steps", "0", "--save", saved});
  EXPECT_EQ(text({"explain", "mlp", "--load", saved, "--extent", "batch=5"}), page);
  const std::string forward = text({"explain", "mlp", "--load", saved, "--forward-only"});
  EXPECT_EQ(forward.find("cross_entropy"), std::string::npos) << forward;
}

TEST_F(Explain, ShowsGapsAndFails) {
  const std::string kernels = TENON_TEST_BUILD_DIR "/test-plugins/kernels_only/kernels_only.tenon.json";
  const Outcome outcome = place_.tenon({"explain", example, "--plugin", kernels, "--provider", "only:acme",
                                        "--assurance", "external", "--forward-only"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("no capsule for softmax"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("PROVIDER_EXCLUDED"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("2 operations: 0 served by 0 capsules; 2 without a capsule"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.err.find(
                "error: [session] 2 operations have no admissible capsule on cpu:0\n  at %4 of forward: linear("),
            std::string::npos)
      << outcome.err;
}

// Without a device

const std::string plugins = TENON_TEST_BUILD_DIR "/test-plugins/";

std::vector<std::string> matmul_on(const std::string& device, const std::string& columns) {
  return {"explain",
          "--op",
          "matmul",
          "--shape",
          "3x4,4x" + columns,
          "--plugin",
          plugins + device + "/" + device + ".tenon.json",
          "--device",
          device};
}

TEST_F(Explain, AsksTheKernelsOfADeviceThatIsNotThere) {
  const Outcome served = place_.tenon(matmul_on("absent", "10"));
  EXPECT_EQ(served.status, 0) << served.err;
  EXPECT_EQ(served.err.find("error"), std::string::npos) << served.err;
  const std::string file = plugins + "absent/tenon_absent.so";
  EXPECT_NE(served.out.find("no device was opened: acme/absent:0: libabsent.so.1 is not installed (plugin " + file +
                            ");\n  answered for any device of domain absent memory\n"),
            std::string::npos)
      << served.out;
  EXPECT_NE(served.out.find("capsule   absent.matmul.f32, only admissible\n"), std::string::npos) << served.out;
  const Outcome declined = place_.tenon(matmul_on("absent", "2000"));
  EXPECT_EQ(declined.status, 1);
  EXPECT_NE(declined.out.find("absent.matmul.f32  DECLINED     it declined (at most 1000 columns)\n"),
            std::string::npos)
      << declined.out;
  EXPECT_NE(declined.err.find("1 operation has no admissible capsule on acme/absent:0\n"), std::string::npos);
}

TEST_F(Explain, TakesTheWidthOfADeviceThatIsNotThere) {
  std::vector<std::string> args = matmul_on("absent", "10");
  args.insert(args.end(), {"--dtype", "float", "--json"});
  const nlohmann::json page = json(args);
  EXPECT_EQ(page["real"], "f64");
  EXPECT_EQ(page["opened"], false);
  EXPECT_EQ(page["unopened"]["code"], "DRIVER_MISSING");
  EXPECT_EQ(page["memory_domain"], "absent memory");
  EXPECT_EQ(page["asked"], true);
}

/// Its kernels would end the process if they were asked.
TEST_F(Explain, ReadsWhatTheKernelsOfAnUninitialisedPluginDeclare) {
  const Outcome outcome = place_.tenon(matmul_on("unlicensed", "2000"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("tenon_unlicensed.so: initialize: the licence has run out;\n  answered for any device of "
                             "domain absent memory by what its capsules declare: they could not be asked\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("capsule   unlicensed.matmul.f32, only admissible\n"), std::string::npos) << outcome.out;
  std::vector<std::string> args = matmul_on("unlicensed", "10");
  args.push_back("--json");
  EXPECT_EQ(json(args)["asked"], false);
}

TEST_F(Explain, NeverLoadsWhatTheHelperDidNotSurvive) {
  const Outcome outcome = place_.tenon(matmul_on("crashes", "10"));
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("no plugin was loaded: " + plugins + "crashes/tenon_crashes.so: it ended the helper"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.err.find("reason: PROBE_CRASHED"), std::string::npos) << outcome.err;
}

TEST_F(Explain, RefusesTheRequestsOwnFaultsOnAnyDevice) {
  std::vector<std::string> args = matmul_on("absent", "10");
  args.insert(args.end(), {"--option", "absent.cache=1"});
  EXPECT_NE(expect_failure(place_, args).find("OPTION_UNKNOWN"), std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"explain", example, "--device", "cudaa"}).find("did you mean --device cuda?"),
            std::string::npos);
  EXPECT_NE(expect_failure(place_, {"explain", example, "--device", "tpu", "--dtype", "complex"}).find("NO_PLUGIN"),
            std::string::npos);
}

TEST_F(Explain, OfADeviceWithoutPluginIsAVendorsListOfThingsToDo) {
  const fs::path installed = place_.install();
  const Outcome outcome = place_.tenon({"explain", example, "--device", "tpu", "--extent", "batch=32"});
  EXPECT_EQ(outcome.status, 1);
  expect_golden("explain_tpu.txt", normalised(outcome.out, installed));
  EXPECT_NE(outcome.err.find("error: [device] tpu: no plugin for it is installed: no kernel for 9 operations\n"),
            std::string::npos)
      << outcome.err;
  const Outcome page = place_.tenon({"explain", example, "--device", "tpu", "--json"});
  const nlohmann::json demands = nlohmann::json::parse(page.out)["demands"];
  ASSERT_EQ(demands.size(), 8u);
  EXPECT_EQ(demands[5]["op"], "linear");
  EXPECT_EQ(demands[5]["times"], 2);
  EXPECT_EQ(demands[5]["strict"], true);
}

// One operation

TEST_F(Explain, OfOneOperationKnowsItsOperands) {
  const std::string page = text({"explain", "--op", "cross_entropy", "--shape", "64x10,64"});
  EXPECT_NE(page.find("  %0 = input logits : (64, 10)\n  %1 = natural labels : (64)\noperation (evaluation)\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("capsule   cpu.reference.cross_entropy.f32"), std::string::npos) << page;
  const std::string fill = text({"explain", "--op", "fill", "--attribute", "shape=(2,3)", "--attribute", "value=2"});
  EXPECT_NE(fill.find("%0 = fill() {shape=(2, 3), value=2} : (2, 3)"), std::string::npos) << fill;
  const std::string scalar = text({"explain", "--op", "add", "--shape", "2x3,scalar", "--training"});
  EXPECT_NE(scalar.find("%2 = broadcast(%1) {shape=(2, 3)} : (2, 3)"), std::string::npos) << scalar;
  EXPECT_NE(scalar.find("operation (training)"), std::string::npos) << scalar;
}

TEST_F(Explain, OfOneOperationHasTheFormOfAProgram) {
  const nlohmann::json page = json({"explain", "--op", "matmul", "--shape", "64x784,784x256", "--json"});
  EXPECT_EQ(page["operation"], "matmul");
  EXPECT_EQ(page["leaves"][1], "%1 = input right : (784, 256)");
  EXPECT_EQ(page["parts"][0]["operations"][0]["text"], "%2 = matmul(%0, %1) : (64, 256)");
  EXPECT_EQ(page["parts"][0]["operations"][0]["capsule"]["name"], "cpu.native.matmul.f32");
}

TEST_F(Explain, OfOneOperationRefusesInTheOperationsWords) {
  const std::string err = expect_failure(place_, {"explain", "--op", "matmul", "--shape", "64x784,84x256"});
  EXPECT_NE(err.find("[matmul] left (64, 784), right (84, 256): inner extents 784 and 84 differ"), std::string::npos)
      << err;
  const auto expect_words = [&](const std::vector<std::string>& args, const std::string& words) {
    const std::string misuse = expect_misuse(place_, args);
    EXPECT_NE(misuse.find(words), std::string::npos) << misuse;
  };
  expect_words({"explain", "--op", "matmull", "--shape", "1x1"}, "did you mean matmul?");
  expect_words({"explain", "--op", "matmul", "--shape", "64x"}, "--shape: found \"64x\"");
  expect_words({"explain", "--op", "matmul", "--shape", "1x1x1x1x1x1x1x1x1"}, "--shape: found");
  expect_words({"explain", "--op", "reduce_sum", "--shape", "3", "--attribute", "axis=1"}, "did you mean axes?");
  expect_words({"explain", "--op", "reduce_sum", "--shape", "3", "--attribute", "keep_dims=3"},
               "--attribute: [reduce_sum] attribute keep_dims: found \"3\", expected true or false");
  expect_words({"explain", "--op", "relu", "--shape", "3", "--extent", "batch=1"}, "expected them with a MODEL only");
  expect_words({"explain", "--op", "relu", "--shape", "3", example}, "expected one of them");
  expect_words({"explain", example, "--shape", "3"}, "add --op NAME");
}

// Rejections

TEST_F(Explain, ListsEveryRejectedCandidateInCatalogueOrder) {
  const fs::path installed = place_.install();
  const std::string kernels = plugins + "kernels_only/kernels_only.tenon.json";
  const std::vector<std::vector<std::string>> requests{
      {"--device", "cpu", "--provider", "only:acme"},
      {"--device", "cpu", "--provider", "prefer:acme", "--assurance", "external"},
      {"--device", "cpu", "--assurance", "external", "--dtype", "float"},
      {"--device", "late", "--plugin", plugins + "late/late.tenon.json"},
      {"--device", "late", "--plugin", plugins + "late/late.tenon.json", "--assurance", "checked"}};
  std::string pages;
  for (const std::vector<std::string>& request : requests) {
    std::vector<std::string> args{"explain", "--op", "relu", "--shape", "3x4", "--plugin", kernels};
    args.insert(args.end(), request.begin(), request.end());
    pages += place_.tenon(args).out + "\n";
  }
  expect_golden("explain_rejected.txt", normalised(pages, installed));
}

TEST_F(Explain, TakesAModelWithoutAFile) {
  const auto explained = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args{"explain"};
    args.insert(args.end(), more.begin(), more.end());
    return place_.tenon(args);
  };
  const Outcome mlp = explained({"mlp", "--device", "cpu", "--hidden", "32"});
  EXPECT_EQ(mlp.status, 0) << mlp.err;
  EXPECT_NE(mlp.out.find("input features : (1, 64)"), std::string::npos) << mlp.out;
  EXPECT_NE(mlp.out.find("fc1.weight : (32, 64)"), std::string::npos) << mlp.out;
  EXPECT_NE(mlp.out.find("fc2.weight : (10, 32)"), std::string::npos) << mlp.out;
  EXPECT_NE(mlp.err.find("note: model mlp in the sizes of an example, 64 features and 10 classes; --data or --load "
                         "takes a file's\n"),
            std::string::npos)
      << mlp.err;
  const Outcome linear = explained({"linear"});
  EXPECT_EQ(linear.status, 0) << linear.err;
  EXPECT_NE(linear.err.find("note: model linear in the sizes of an example, 64 features; "), std::string::npos)
      << linear.err;
  const Outcome tpu = explained({"mlp", "--device", "tpu"});
  EXPECT_EQ(tpu.status, 1) << tpu.err;
  EXPECT_NE(tpu.err.find("tpu: no plugin for it is installed"), std::string::npos) << tpu.err;
}

TEST_F(Explain, RefusesWhatItCannotExplain) {
  const auto expect_words = [&](const std::vector<std::string>& args, const std::string& words) {
    const std::string err = expect_misuse(place_, args);
    EXPECT_NE(err.find(words), std::string::npos) << err;
  };
  expect_words({"explain"}, "MODEL: missing");
  expect_words({"explain", "mlp", "--data", "d.csv", "--load", "m.safetensors"}, "--load, --data: found both");
  expect_words({"explain", "mlp", "--label", "y"}, "--label: found it without --data");
  expect_words({"explain", "linear", "--hidden", "8"}, "--hidden: found it with linear");
  expect_words({"explain", example, "--data", "d.csv"}, "expected them with a model only");
  expect_words({"explain", example, "--extent", "bath=3"}, "did you mean batch?");
  expect_words({"explain", example, "--extent", "batch"}, "--extent: found \"batch\"");
  expect_words({"explain", example, "--extent", "batch=1", "--extent", "batch=2"}, "twice");
}

}  // namespace
}  // namespace tenon::test
