// Modules as files, on every device with every backend.
#include "tenon/module_file.h"
#include "module/modules_on.h"
#include "tenon/dropout.h"
#include "tenon/safetensors.h"
#include "unit/data/temp_folder.h"

namespace tenon::test {
namespace {

/// Everything that a training has to remember: parameters, a state, draws, an optimizer.
struct Whole {
  Linear<3, 4> fc1;
  Linear<4, 3> fc2;
  State<3> mean;

  auto forward(Tensor<batch, 3> x) const { return fc2(dropout(relu(fc1(x - mean)), 0.75)); }
  auto loss(Tensor<batch, 3> x, Naturals<batch> label) const {
    update(mean, mean * 0.9 + reduce_mean<0>(x) * 0.1);
    return cross_entropy(forward(x), label);
  }
};

class ModuleFileOn : public testing::TestWithParam<Where> {
 protected:
  template <class S>
  ModuleOf<S, Whole> whole(std::uint64_t seed) {
    Options options = options_on(GetParam());
    options.seed = 5;
    return must(instantiate_with_plan<S>(define<Whole>(), options, mlp_plan(seed)));
  }
  template <class Module>
  static void train(Module& net, Optimizer& optimizer, int steps) {
    const TypedRows<typename Module::Scalar> data(7);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(net.step_with(optimizer, 0.05, data.x, data.label));
  }
  /// Expects the load to be refused without a trace of it.
  template <class S>
  std::string refused(const std::filesystem::path& path) {
    auto net = whole<S>(3);
    Optimizer adam = must(net.init_optim(optim::adam()));
    train(net, adam, 1);
    const auto parameters = must(net.params());
    const auto states = must(net.states());
    const auto moments = must(net.core().session().read_optimizer(adam)).moments;
    const auto answer = load(path, net, &adam);
    EXPECT_FALSE(answer);
    EXPECT_EQ(must(net.params()), parameters);
    EXPECT_EQ(must(net.states()), states);
    EXPECT_EQ(net.core().session().draws(), 1u);
    EXPECT_EQ(adam.steps(), 1);
    const auto now = must(net.core().session().read_optimizer(adam)).moments;
    for (std::size_t i = 0; i < moments.size(); ++i) EXPECT_EQ(now[i].bytes, moments[i].bytes);
    return refusal(answer);
  }

  TempFolder folder_;
};

TEST_P(ModuleFileOn, TenStepsAreFiveAndFiveInANewModule) {
  for (const OpSpec& row : all_ops()) {
    if (row.role != Role::update) continue;
    SCOPED_TRACE(row.name);
    const OptimizerSpec spec{row.op, row.defaults};
    const auto path = folder_ / std::string(row.name);
    auto all = whole<float>(1), first = whole<float>(1), second = whole<float>(2);
    Optimizer ten = must(all.init_optim(spec)), five = must(first.init_optim(spec));
    train(all, ten, 10);
    train(first, five, 5);
    ASSERT_EQ(refusal(save(path, first, &five)), "accepted");
    Optimizer rest = must(second.init_optim(spec));
    train(second, rest, 2);  // what is there is replaced
    ASSERT_TRUE(second.params());
    const LoadedModule loaded = must(load(path, second, &rest));
    EXPECT_FALSE(loaded.widened);
    EXPECT_EQ(rest.steps(), 5);
    EXPECT_EQ(must(second.params()), must(first.params()));
    train(second, rest, 5);
    EXPECT_EQ(must(second.params()), must(all.params()));
    EXPECT_EQ(must(second.states()), must(all.states()));
    EXPECT_EQ(second.core().session().draws(), 10u);
  }
}

TEST_P(ModuleFileOn, WeightsWithoutTheOptimizerGoOnDifferently) {
  const auto path = folder_ / "net";
  auto all = whole<float>(1), second = whole<float>(2);
  Optimizer adam = must(all.init_optim(optim::adam()));
  train(all, adam, 5);
  ASSERT_TRUE(save(path, all, &adam));
  train(all, adam, 5);
  ASSERT_TRUE(load(path, second));  // moments are passed over
  Optimizer fresh = must(second.init_optim(optim::adam()));
  train(second, fresh, 5);
  EXPECT_NE(must(second.params()), must(all.params()));
  EXPECT_EQ(must(second.states()), must(all.states()));
}

TEST_P(ModuleFileOn, ALoadedModuleEvaluatesTheSame) {
  const auto path = folder_ / "net";
  auto net = whole<float>(1), other = whole<float>(2);
  Optimizer sgd = must(net.init_optim(optim::sgd()));
  train(net, sgd, 2);
  ASSERT_TRUE(save(path, net));
  const auto evaluator = other.evaluator();
  const TypedRows<float> data(4);
  ASSERT_TRUE(evaluator(data.x));
  ASSERT_TRUE(load(path, other));
  EXPECT_EQ(must(evaluator(data.x)), must(net.evaluate(data.x)));
}

TEST_P(ModuleFileOn, ANarrowFileWidensExactlyAndSaysSo) {
  const auto path = folder_ / "net";
  auto narrow = whole<float>(1);
  auto wide = whole<double>(2);
  Optimizer few = must(narrow.init_optim(optim::adam())), many = must(wide.init_optim(optim::adam()));
  train(narrow, few, 3);
  ASSERT_TRUE(save(path, narrow, &few));
  EXPECT_TRUE(must(load(path, wide, &many)).widened);
  EXPECT_EQ(must(wide.params()), cast_pack<double>(must(narrow.params())));
  EXPECT_EQ(must(wide.states()), cast_pack<double>(must(narrow.states())));
  EXPECT_EQ(many.steps(), 3);
  const auto moments = must(narrow.core().session().read_optimizer(few)).moments;
  const auto widened = must(wide.core().session().read_optimizer(many)).moments;
  ASSERT_EQ(moments.size(), widened.size());
  for (std::size_t i = 0; i < moments.size(); ++i)
    EXPECT_EQ(detail::loaded<double>(widened[i].bytes, DType::f64),
              detail::loaded<double>(moments[i].bytes, DType::f32));
}

TEST_P(ModuleFileOn, NarrowingIsRefused) {
  const auto path = folder_ / "net";
  auto wide = whole<double>(1);
  Optimizer adam = must(wide.init_optim(optim::adam()));
  ASSERT_TRUE(save(path, wide, &adam));
  const std::string words = refused<float>(path);
  EXPECT_NE(words.find("too wide fc1.weight: the file has f64 (4, 3), the module f32 (4, 3)"), std::string::npos)
      << words;
  EXPECT_NE(words.find("too wide mean: the file has f64 (3), the module f32 (3)"), std::string::npos) << words;
  auto narrow = whole<float>(2);
  EXPECT_EQ(load(path, narrow).error().hint, "values are never narrowed: use --dtype float");
}

/// Another hidden width, another state, one parameter more.
struct Other {
  Linear<3, 5> fc1;
  Linear<5, 3> fc2;
  Tensor<2> more;

  auto forward(Tensor<batch, 3> x) const { return fc2(fc1(x)) + reduce_mean(more); }
  auto loss(Tensor<batch, 3> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

TEST_P(ModuleFileOn, AllMismatchesComeInOneReport) {
  const auto path = folder_ / "net";
  auto other = must(instantiate_configured<float>(define<Other>(), options_on(GetParam())));
  ASSERT_TRUE(save(path, other));
  EXPECT_EQ(refused<float>(path), "[module file] " + path.string() +
                                      " does not fit the module:\n"
                                      "    mismatched fc1.weight: the file has f32 (5, 3), the module f32 (4, 3)\n"
                                      "    mismatched fc1.bias: the file has f32 (5), the module f32 (4)\n"
                                      "    mismatched fc2.weight: the file has f32 (3, 5), the module f32 (3, 4)\n"
                                      "    missing mean: the module has f32 (3)\n"
                                      "    missing optimizer.m.fc1.weight: the module has f32 (4, 3)\n"
                                      "    missing optimizer.v.fc1.weight: the module has f32 (4, 3)\n"
                                      "    missing optimizer.m.fc1.bias: the module has f32 (4)\n"
                                      "    missing optimizer.v.fc1.bias: the module has f32 (4)\n"
                                      "    missing optimizer.m.fc2.weight: the module has f32 (3, 4)\n"
                                      "    missing optimizer.v.fc2.weight: the module has f32 (3, 4)\n"
                                      "    missing optimizer.m.fc2.bias: the module has f32 (3)\n"
                                      "    missing optimizer.v.fc2.bias: the module has f32 (3)\n"
                                      "    extra more: the file has f32 (2)");
}

/// Many parameters, of one name and its number.
struct Many {
  std::array<Linear<3, 3>, 12> layers;

  auto forward(Tensor<batch, 3> x) const { return layers[0](x); }
  auto loss(Tensor<batch, 3> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

TEST_P(ModuleFileOn, ALongReportSaysHowMuchIsLeftOut) {
  const auto path = folder_ / "net";
  auto many = must(instantiate_configured<float>(define<Many>(), options_on(GetParam())));
  auto net = whole<float>(1);
  ASSERT_TRUE(save(path, net));
  const std::string words = refusal(load(path, many));
  EXPECT_TRUE(words.ends_with("missing layers.9.bias: the module has f32 (3)\n    and 9 more")) << words;
}

TEST_P(ModuleFileOn, AFileOfAnotherFormatIsRefused) {
  auto net = whole<float>(1);
  Optimizer adam = must(net.init_optim(optim::adam()));
  ASSERT_TRUE(save(folder_ / "net", net, &adam));
  for (const std::string other : {"tenon-module-2", "tenon-checkpoint-1", "", "pt"}) {
    TensorFile file = must(read_safetensors(folder_ / "net"));
    file.metadata["format"] = other;
    ASSERT_TRUE(write_safetensors(folder_ / "other", file));
    EXPECT_EQ(refused<float>(folder_ / "other"), "[module file] " + (folder_ / "other").string() +
                                                     ": found the format \"" + other + "\", expected tenon-module-1");
  }
}

TEST_P(ModuleFileOn, PlainTensorsAreLoadedAndBeginAtDrawZero) {
  auto net = whole<float>(1), other = whole<float>(2);
  ASSERT_TRUE(save(folder_ / "net", net));
  TensorFile file = must(read_safetensors(folder_ / "net"));
  file.metadata.clear();
  ASSERT_TRUE(write_safetensors(folder_ / "plain", file));
  ASSERT_EQ(refusal(load(folder_ / "plain", other)), "accepted");
  EXPECT_EQ(must(other.params()), must(net.params()));
  EXPECT_EQ(other.core().session().draws(), 0u);
}

TEST_P(ModuleFileOn, MomentsWithoutTheirStepsAreRefused) {
  auto net = whole<float>(1);
  Optimizer adam = must(net.init_optim(optim::adam()));
  train(net, adam, 2);
  ASSERT_TRUE(save(folder_ / "net", net, &adam));
  TensorFile file = must(read_safetensors(folder_ / "net"));
  file.metadata.erase("optimizer.steps");
  ASSERT_TRUE(write_safetensors(folder_ / "stepless", file));
  const std::string place = "[module file] " + (folder_ / "stepless").string();
  EXPECT_EQ(refused<float>(folder_ / "stepless"),
            place + " does not fit the module:\n    metadata optimizer.steps: missing, expected a whole number");
  EXPECT_TRUE(load(folder_ / "stepless", net));  // without an optimizer nobody asks
  file.metadata["optimizer.steps"] = "two";
  ASSERT_TRUE(write_safetensors(folder_ / "stepless", file));
  EXPECT_EQ(refused<float>(folder_ / "stepless"),
            place + ": metadata optimizer.steps: found \"two\", expected a whole number");
}

TEST_P(ModuleFileOn, AnotherOptimizersStateIsRefused) {
  const auto path = folder_ / "net";
  auto net = whole<float>(1);
  Optimizer momentum = must(net.init_optim(optim::momentum()));
  ASSERT_TRUE(save(path, net, &momentum));
  const std::string words = refused<float>(path);  // into adam
  EXPECT_NE(words.find("missing optimizer.m.fc1.weight"), std::string::npos) << words;
  EXPECT_NE(words.find("extra optimizer.velocity.fc1.weight"), std::string::npos) << words;
}

TEST_P(ModuleFileOn, AMissingOrDamagedFileChangesNothing) {
  EXPECT_NE(refused<float>(folder_ / "none").find((folder_ / "none").string()), std::string::npos);
  auto net = whole<float>(1);
  Optimizer adam = must(net.init_optim(optim::adam()));
  ASSERT_TRUE(save(folder_ / "net", net, &adam));
  const std::string whole_file = folder_.read("net");
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, whole_file.size() / 2, whole_file.size() - 1})
    refused<float>(folder_.write("part", whole_file.substr(0, length)));
}

TEST_P(ModuleFileOn, AFailedSaveLeavesTheFileThatWasThere) {
  const auto path = folder_ / "net";
  auto net = whole<float>(1), other = whole<float>(2);
  ASSERT_TRUE(save(path, net));
  const std::string before = folder_.read("net");
  Optimizer theirs = must(other.init_optim(optim::adam()));
  EXPECT_EQ(refusal(save(path, net, &theirs)),
            "[optimizer] adam: found another session's parameters, expected those it was made for");
  EXPECT_FALSE(save(folder_ / "no folder" / "net", net));
  EXPECT_EQ(folder_.read("net"), before);
  EXPECT_EQ(folder_.count_files(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ModuleFileOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
