// What a break test found, each as the kind of input that it was.
#include <cstring>
#include <limits>

#include "failures.h"
#include "tenon/safetensors.h"

namespace tenon::test {
namespace {

class Broken : public testing::Test {
 protected:
  /// A trained model's file, changed by `change`.
  template <class Change>
  std::string changed(Change change) {
    const fs::path path = place_ / "model.safetensors";
    const Outcome outcome =
        place_.tenon({"train", "mlp", "--data", data_, "--hidden", "8", "--steps", "1", "--save", path.string()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    TensorFile file = *read_safetensors(path);
    change(file);
    EXPECT_TRUE(write_safetensors(path, file));
    return path.string();
  }
  std::vector<std::string> run(const std::string& checkpoint) {
    return {"run", "mlp", "--load", checkpoint, "--input", data_, "--output", (place_ / "out.csv").string()};
  }
  std::vector<std::string> resume(const std::string& checkpoint) {
    return {"train", "mlp", "--data", data_, "--load", checkpoint, "--steps", "1"};
  }
  void expect_refusal(const std::string& checkpoint, const std::string& part) {
    for (const auto& args : {run(checkpoint), resume(checkpoint)}) {
      const std::string err = expect_failure(place_, args);
      EXPECT_NE(err.find(part), std::string::npos) << err;
      EXPECT_NE(err.find("\n  next: "), std::string::npos) << err;
    }
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(Broken, AFormatThatIsNotKnownIsRefusedByName) {
  expect_refusal(changed([](TensorFile& f) { f.metadata["format"] = "tenon-checkpoint-2"; }),
                 "found the format \"tenon-checkpoint-2\", expected tenon-checkpoint-1");
}

TEST_F(Broken, MetadataThatAreMissingAreNamed) {
  for (const char* key : {"feature_columns", "classes", "hidden", "model"}) {
    const std::string err = expect_failure(place_, run(changed([&](TensorFile& f) { f.metadata.erase(key); })));
    EXPECT_NE(err.find("metadata " + std::string(key) + ": missing"), std::string::npos) << err;
    EXPECT_EQ(err.find("dyn"), std::string::npos) << err;
  }
}

TEST_F(Broken, ParametersThatAreNotFiniteAreNamedByElement) {
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const auto poison = [&](TensorFile& f) {
      for (NamedTensor& tensor : f.tensors)
        if (tensor.name == "fc1.weight") std::memcpy(tensor.bytes.data() + 4 * 7, &value, 4);
    };
    expect_refusal(changed(poison),
                   "fc1.weight[2, 1]: found " + std::string(value > 0 ? "inf" : "nan") + ", expected a finite number");
  }
}

TEST_F(Broken, AReportOfManyTensorsIsCutOff) {
  const auto many = [](TensorFile& f) {
    for (int i = 0; i < 500; ++i) f.tensors.push_back({"t" + std::to_string(i), DType::f32, Shape{0}, {}});
  };
  const std::string err = expect_failure(place_, run(changed(many)));
  EXPECT_NE(err.find("and 480 more"), std::string::npos) << err;
  EXPECT_LT(lines(err).size(), 35u);
}

TEST_F(Broken, AHeaderOfNumbersIsSaidToBeData) {
  const std::string years = place_.write("years.csv", "2019,2020,2021\n1,2,0\n3,4,1\n5,6,0\n");
  const std::string err = expect_failure(place_, {"train", "mlp", "--data", years, "--label", "2021"});
  EXPECT_NE(err.find("note: " + years + " has no header line: columns are column0"), std::string::npos) << err;
}

TEST_F(Broken, AColumnBeyondBinary64IsNamed) {
  const std::string huge = place_.write("huge.csv", "a,b,label\n1e308,1,0\n-1e308,2,1\n1e308,3,0\n-1e308,4,1\n");
  const std::string err = expect_failure(place_, {"train", "mlp", "--data", huge, "--test-fraction", "0"});
  EXPECT_NE(err.find("column a"), std::string::npos) << err;
  EXPECT_EQ(err.find("-nan"), std::string::npos) << err;
}

TEST_F(Broken, ALongListOfColumnsAndALongValueAreCutOff) {
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "c" + std::to_string(i) + ",";
  wide += "label\n";
  for (int i = 0; i < 300; ++i) wide += "1,";
  const std::string file = place_.write("wide.csv", wide + "0\n");
  std::string err = expect_failure(place_, {"train", "mlp", "--data", file, "--label", "nosuch"});
  EXPECT_NE(err.find("and 291 more"), std::string::npos) << err;
  err = expect_misuse(place_, {"train", "mlp", "--data", data_, "--device", std::string(100000, 'x')});
  EXPECT_LT(err.size(), 2000u);
}

TEST_F(Broken, LimitsAreNamed) {
  EXPECT_NE(expect_misuse(place_, {"train", "mlp", "--data", data_, "--hidden", "4294967296"}).find("16777216"),
            std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"train", "mlp", "--data", data_, "--steps", "99999999999999999999"})
                .find("18446744073709551615"),
            std::string::npos);
}

TEST_F(Broken, TheNextStepNamesWhereTheValueStands) {
  place_.set("TENON_DEVICE", "cudaa");
  EXPECT_NE(expect_misuse(place_, {"train", "mlp", "--data", data_}).find("TENON_DEVICE=cuda"), std::string::npos);
  place_.set("TENON_DEVICE", "");
  EXPECT_NE(
      expect_misuse(place_, {"train", "mlp", "--data", data_, "--show-backend", "json"}).find("--show-backend=json"),
      std::string::npos);
  EXPECT_NE(expect_misuse(place_, {"train", "mlp", "--data", data_, "--rate", "x"}).find("tenon train --help"),
            std::string::npos);
}

TEST_F(Broken, ALinkThatLeadsToItselfIsNoMatterOfPermissions) {
  const fs::path link = place_ / "loop.csv";
  fs::create_symlink("loop.csv", link);
  const Outcome outcome = place_.tenon({"train", "mlp", "--data", link.string()});
  fs::remove(link);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("permissions"), std::string::npos) << outcome.err;
}

TEST_F(Broken, APluginThatCrashesIsNotCalledUsable) {
  place_.set("TENON_PLUGIN_PATH", TENON_TEST_BUILD_DIR "/test-plugins/crashes");
  for (const char* listing : {"devices", "plugins"}) {  // the first one probes, the second one knows
    const Outcome outcome = place_.tenon({listing});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::string about;
    for (const std::string& line : lines(outcome.out))
      if (line.starts_with("crashes")) about = line;
    EXPECT_NE(about, "") << outcome.out;
    EXPECT_EQ(about.find("usable"), std::string::npos) << about;
  }
}

}  // namespace
}  // namespace tenon::test
