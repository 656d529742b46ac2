#include "compiled_run.h"

#include "eager_recorder.h"
#include "support/test_device.h"

namespace tenon::test {
namespace {

/// Draws, fails where a label is too large, and draws again.
Program draws_around_a_loss() {
  Program p;
  p.name = "draws_around_a_loss";
  p.inputs = {{"x", Kind::real, Shape{2, 3}}, {"label", Kind::natural, Shape{2}}};
  p.loss = [](const ProgramArguments& a) {
    const Value noise = rand_uniform(a.recorder, Sized{Shape{2, 3}});
    rand_uniform(a.recorder, Sized{Shape{5}});  // dead
    const Value loss = cross_entropy(mul(a.reals[0], noise), a.naturals[0]);
    return mul(loss, bernoulli_mask(a.recorder, Keep{Shape{}, 0.5}));
  };
  return p;
}

/// The program's trace on the cpu, bound to memory; no batch is checked here, so that a kernel meets a bad label.
class CompiledRunTest : public testing::Test {
 protected:
  CompiledRunTest() : cache_(registry_of("cpu", policy_of(DType::f32))), executor_(device(), nullptr) {}

  std::shared_ptr<Device> device() { return cache_.registry().device(); }
  Trace make(Backend backend) {
    const std::vector<Shape> shapes{{2, 3}, Shape{2}};
    Gaps gaps;
    return *make_trace(program_, TraceKind::loss, shapes, nullptr, {cache_, executor_, DType::f32, 64, backend}, gaps);
  }
  void bind(Trace& trace, std::uint32_t label) {
    x_ = *Buffer::allocate(device(), 24);
    labels_ = *Buffer::allocate(device(), 8);
    memory_ = *Buffer::allocate(device(), trace.memory.bytes);
    const std::vector<float> x(6, 1);
    const std::vector<std::uint32_t> labels{0, label};
    ASSERT_TRUE(device()->write(x_.ref(), std::as_bytes(std::span(x))));
    ASSERT_TRUE(device()->write(labels_.ref(), std::as_bytes(std::span(labels))));
    const std::vector<tenon_ref> leaves{x_.ref(), labels_.ref()};
    place_values(trace, leaves, {}, memory_.ref());
  }

  Program program_ = draws_around_a_loss();
  KernelCache cache_;
  Executor executor_;
  Buffer x_, labels_, memory_;
};

TEST_F(CompiledRunTest, CountsDeadRandomOperations) {
  Trace trace = make(Backend::compiled);
  EXPECT_EQ(trace.random_nodes, 3u);
  EXPECT_EQ(trace.schedule.size(), trace.graph().nodes().size() - 1);
  bind(trace, 2);
  Draws draws{7, 10};
  ASSERT_TRUE((CompiledRun{trace, executor_, draws}.run()));
  EXPECT_EQ(draws.count, 13u);
}

TEST_F(CompiledRunTest, AfterAKernelFailedTheCounterStandsWhereTheEagerOneDoes) {
  Trace compiled = make(Backend::compiled);
  bind(compiled, 3);
  Draws draws{7, 10};
  const auto failed = CompiledRun{compiled, executor_, draws}.run();
  ASSERT_FALSE(failed);
  EXPECT_EQ(draws.count, 12u);

  Trace eager = make(Backend::eager);
  bind(eager, 3);
  Draws eager_draws{7, 10};
  EagerRecorder recorder(cache_, executor_, DType::f32, eager_draws);
  recorder.begin(eager, {});
  const std::vector<Value> reals{{&recorder, 0}}, naturals{{&recorder, 1}};
  program_.loss({recorder, {}, reals, naturals});
  ASSERT_FALSE(recorder.status());
  EXPECT_EQ(recorder.status().error().text, failed.error().text);
  EXPECT_EQ(eager_draws.count, draws.count);
}

}  // namespace
}  // namespace tenon::test
