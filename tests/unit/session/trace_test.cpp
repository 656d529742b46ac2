#include "trace.h"

#include "session/small_mlp.h"

namespace tenon::test {
namespace {

/// Traces of the small classifier for four rows, on a device whose capsules are all admitted, or none.
class Traces {
 public:
  explicit Traces(Backend backend, const SelectionPolicy& policy = policy_of(DType::f32))
      : cache_(registry_of("cpu", policy)), executor_(cache_.registry().device(), nullptr), backend_(backend) {}

  Trace make(TraceKind kind, const OptimizerSpec* optimizer = nullptr) {
    const std::vector<Shape> shapes{{4, 3}, Shape{4}};
    auto trace = make_trace(program_, kind, shapes, optimizer, {cache_, executor_, DType::f32, 64, backend_}, gaps);
    EXPECT_TRUE(trace) << to_string(trace.error());
    return *std::move(trace);
  }
  std::string gap_text() const { return gaps.error(executor_.device()).text; }

  Gaps gaps;

 private:
  Program program_ = small_mlp();
  KernelCache cache_;
  Executor executor_;
  Backend backend_;
};

const OptimizerSpec adam_spec{Op::adam, Moments{}};

TEST(Trace, AStepBeginsWithTheNodesOfTheGradient) {
  Traces traces(Backend::compiled);
  const Trace gradient = traces.make(TraceKind::gradient), step = traces.make(TraceKind::step, &adam_spec);
  EXPECT_EQ(step.first_update, gradient.graph().nodes().size());
  EXPECT_EQ(step.first_moment, gradient.graph().types().size());
  EXPECT_EQ(step.graph().nodes().size(), step.first_update + 4);
  EXPECT_EQ(to_string(step.graph()).substr(0, to_string(gradient.graph()).size()), to_string(gradient.graph()));
}

TEST(Trace, NamesMissingCapsulesOfAStepAsThoseOfTheGradient) {
  SelectionPolicy nobody;
  nobody.provider = {ProviderPolicy::Rule::only, "nobody"};
  Traces eager(Backend::eager, nobody), compiled(Backend::compiled, nobody);
  eager.make(TraceKind::gradient);
  compiled.make(TraceKind::step, &adam_spec);
  const auto lines = [](const std::string& text) { return text.substr(text.find('\n')); };  // without the count
  const std::string expected = lines(eager.gap_text());
  EXPECT_EQ(lines(compiled.gap_text()).substr(0, expected.size()), expected);
}

TEST(Trace, ACompiledOneNeedsLessMemoryThanAnEagerOne) {
  EXPECT_LT(Traces(Backend::compiled).make(TraceKind::gradient).memory.bytes,
            Traces(Backend::eager).make(TraceKind::gradient).memory.bytes);
}

TEST(Trace, BoundsEveryNaturalInputByTheAxisItIndexes) {
  const Trace trace = Traces(Backend::compiled).make(TraceKind::gradient);
  ASSERT_FALSE(trace.bounds.empty());
  EXPECT_EQ(trace.bounds[0].natural, 0u);
  EXPECT_EQ(trace.bounds[0].below, 3);
  const std::vector<std::uint32_t> good{2, 0}, bad{2, 3};
  EXPECT_TRUE(check_bound(trace.bounds[0], good));
  EXPECT_EQ(check_bound(trace.bounds[0], bad).error().text,
            "[cross_entropy] labels index axis -1 of logits (4, 3): found 3 at position 1, expected less than 3");
}

}  // namespace
}  // namespace tenon::test
