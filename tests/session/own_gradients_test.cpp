// Sessions whose gradients are partly a third party's: the same bits, with either backend.
#include <cstdio>

#include "session/where.h"
#include "tenon/explanation.h"

namespace tenon::test {
namespace {

/// A classifier whose gradients meet capsules of linear.vjp (three results), log_softmax.vjp and none at all.
Program classifier() {
  Program p = small_mlp();
  p.loss = [forward = p.forward](const ProgramArguments& a) {
    const Value scores = log_softmax(forward(a));
    return add(cross_entropy(scores, a.naturals[0]), scale(reduce_sum(mul(scores, scores)), Factor{0.01}));
  };
  return p;
}

/// What a file that was written through it holds.
class Lines {
 public:
  ~Lines() { std::fclose(file_); }
  std::FILE* file() { return file_; }
  std::string text() {
    std::string out(static_cast<std::size_t>(std::ftell(file_)), ' ');
    std::rewind(file_);
    EXPECT_EQ(std::fread(out.data(), 1, out.size(), file_), out.size());
    return out;
  }

 private:
  std::FILE* file_ = std::tmpfile();
};

class OwnGradientsWith : public testing::TestWithParam<std::tuple<Backend, DType>> {
 protected:
  Session session(const Program& program, bool own, RunObserver* observer = nullptr) {
    const auto& [backend, real] = GetParam();
    SessionOptions options{.real = real, .training_batches = {4}};
    options.backend = backend;
    SelectionPolicy policy = strict_policy();
    if (own) policy.assurance = Assurance::external;
    Registry registry = registry_with("cpu", policy, {"own_gradients"});
    if (observer != nullptr) {
      watch_.emplace(registry.device(), std::vector<RunObserver*>{observer});
      options.watch = &*watch_;
    }
    auto made = Session::create(std::move(registry), program, options);
    if (!made) {
      ADD_FAILURE() << to_string(made.error());
      std::abort();
    }
    EXPECT_TRUE(made->initialise(initial_values(program, 11)));
    return *std::move(made);
  }

  std::vector<std::vector<double>> gradients(Session& session, std::uint64_t rows) {
    auto found = session.gradients(Rows(rows).batch());
    EXPECT_TRUE(found) << to_string(found.error());
    return found.value_or(std::vector<std::vector<double>>{});
  }

 private:
  std::optional<Watch> watch_;  // outlives the sessions of a test
};

TEST_P(OwnGradientsWith, HaveTheBitsOfTheRules) {
  Session composed = session(classifier(), false), own = session(classifier(), true);
  for (const std::uint64_t rows : {4u, 7u}) {
    const auto expected = gradients(composed, rows);
    ASSERT_EQ(expected.size(), 4u);
    EXPECT_EQ(gradients(own, rows), expected);
  }
}

TEST_P(OwnGradientsWith, AreReportedLikeEveryCapsule) {
  Lines lines;
  {
    LaunchReport report(LaunchReport::Form::text, lines.file());
    Session own = session(classifier(), true, &report);
    gradients(own, 4);
  }
  const std::string text = lines.text();
  EXPECT_NE(text.find("capsule: linear.vjp         acme.linear.vjp.f"), text.npos) << text;
  EXPECT_NE(text.find("own gradient of linear, only admissible"), text.npos) << text;
  EXPECT_NE(text.find("capsule: log_softmax.vjp    cpu.reference.log_softmax.vjp.f"), text.npos) << text;
  EXPECT_EQ(text.find("transpose"), text.npos) << text;
}

TEST_P(OwnGradientsWith, AreNotTakenFromWhomNobodyTrusts) {
  Lines lines;
  {
    LaunchReport report(LaunchReport::Form::text, lines.file());
    Session composed = session(classifier(), false, &report);
    gradients(composed, 4);
  }
  EXPECT_EQ(lines.text().find("linear.vjp"), std::string::npos);
}

TEST_P(OwnGradientsWith, ServeAProgramThatChangesAsWell) {
  const auto changing = [](bool& changes) {
    Program p = classifier();
    p.loss = [&changes, loss = p.loss](const ProgramArguments& a) {
      return changes ? scale(loss(a), Factor{2}) : loss(a);
    };
    return p;
  };
  bool changes = false;
  Session composed = session(changing(changes), false), own = session(changing(changes), true);
  EXPECT_EQ(gradients(own, 4), gradients(composed, 4));
  changes = true;
  EXPECT_EQ(gradients(own, 4), gradients(composed, 4));
}

TEST_P(OwnGradientsWith, StepsLeaveTheSameParameters) {
  Session composed = session(classifier(), false), own = session(classifier(), true);
  for (Session* s : {&composed, &own}) {
    auto optimizer = s->init_optim({Op::adam, Moments{}});
    ASSERT_TRUE(optimizer);
    for (int step = 0; step < 3; ++step) ASSERT_TRUE(s->train_step(Rows(4).batch(), *optimizer, 0.1));
  }
  EXPECT_EQ(*own.read_parameters(), *composed.read_parameters());
}

INSTANTIATE_TEST_SUITE_P(BothBackends, OwnGradientsWith,
                         testing::Combine(testing::Values(Backend::eager, Backend::compiled),
                                          testing::Values(DType::f32, DType::f64)),
                         [](const auto& test) {
                           return std::string(name(std::get<0>(test.param))) + "_" +
                                  std::string(name(std::get<1>(test.param)));
                         });

TEST(OwnGradientsExplained, AreTheOnesThatASessionTakes) {
  const Registry registry = registry_with("cpu", {.assurance = Assurance::external, .strict = true}, {"own_gradients"});
  const std::vector<Shape> inputs{{4, 3}, Shape{4}};
  const auto recorded = record_training(classifier(), inputs, own_gradients(registry, DType::f32));
  ASSERT_TRUE(recorded) << recorded.error().text;
  const auto all = explain(recorded->graph, registry, {DType::f32, GradientMode::training});
  ASSERT_TRUE(all);
  std::size_t own = 0;
  for (const ExplainedOperation& operation : *all) {
    ASSERT_NE(operation.choice.capsule, nullptr);
    if (operation.request.op != vjp_of(Op::linear)) continue;
    ++own;
    EXPECT_EQ(to_string(operation.request).substr(0, 20), "linear.vjp(x f32 (4,");
    EXPECT_EQ(operation.choice.why, "own gradient of linear, only admissible");
  }
  EXPECT_EQ(own, 2u);
}

}  // namespace
}  // namespace tenon::test
