// Memory that runs out, the host's or a device's, wherever it does: an error, and nothing has changed.
#include <cstdlib>

#include "module/modules_on.h"
#include "support/failing_allocator.h"
#include "tenon/module_file.h"
#include "unit/data/temp_folder.h"

// The sanitizers bring an allocator of their own. g++ says so by a macro, clang by a feature.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENON_FAILS_DEVICE_MEMORY 0
#elif defined(__has_feature)
#define TENON_FAILS_DEVICE_MEMORY !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TENON_FAILS_DEVICE_MEMORY 1
#endif

namespace {
long device_allocations_left = -1;  // before all are refused; below zero: no limit
}

#if TENON_FAILS_DEVICE_MEMORY
extern "C" void* __libc_memalign(std::size_t, std::size_t);

/// What both devices take their memory from.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (device_allocations_left == 0) return nullptr;
  if (device_allocations_left > 0) --device_allocations_left;
  return __libc_memalign(alignment, bytes);
}
#endif

namespace tenon::test {
namespace {

class MemoryOn : public testing::TestWithParam<Where> {
 protected:
  /// Calls f with ever later allocations failing, until it succeeds; `check` follows every failure.
  template <class F, class Check>
  static long exhaust(long& left, F f, Check check) {
    for (long n = 0;; ++n) {
      left = n;
      const auto answer = f();
      left = -1;
      if (answer) return n;
      EXPECT_EQ(answer.error().reason, Reason::OUT_OF_MEMORY) << n << ": " << to_string(answer.error());
      check(n);
      if (testing::Test::HasFatalFailure() || n > 100000) return n;
    }
  }

  const TypedRows<float> data{8};
  const HostTensor<float, batch, 3>& x = data.x;
  const HostTensor<Natural, batch>& label = data.label;
};

TEST_P(MemoryOn, OfTheDeviceThatEndsInAPlanChangesNothing) {
  if (!TENON_FAILS_DEVICE_MEMORY) GTEST_SKIP() << "the sanitizers bring an allocator of their own";
  auto net = mlp_on<float>(GetParam());
  const auto before = must(net.params());
  const auto plan = mlp_plan(9);
  EXPECT_GE(exhaust(
                device_allocations_left, [&] { return apply_plan(net, plan); },
                [&](long n) { ASSERT_EQ(must(net.params()), before) << n; }),
            4);
  EXPECT_EQ(must(net.params()), must(mlp_on<float>(GetParam(), 9).params()));
}

TEST_P(MemoryOn, OfTheDeviceThatEndsInAnInstantiationIsAnError) {
  if (!TENON_FAILS_DEVICE_MEMORY) GTEST_SKIP() << "the sanitizers bring an allocator of their own";
  const auto runtime = must(SharedRuntime::open(options_on(GetParam())));
  const auto plan = mlp_plan();
  EXPECT_GE(
      exhaust(
          device_allocations_left, [&] { return instantiate_on<float>(runtime, define<Mlp>(), plan); }, [](long) {}),
      8);
}

TEST_P(MemoryOn, OfTheHostThatEndsInAPlanChangesNothing) {
  auto net = mlp_on<float>(GetParam());
  const auto before = must(net.params());
  Plan<ParamsOf<Mlp>> plan = mlp_plan(9);
  plan.set("fc2.weight"_p, init::flat(std::vector<double>(12, 0.1)));  // staged while the first are being drawn
  EXPECT_GT(exhaust(
                allocations_left, [&] { return apply_plan(net, plan); },
                [&](long n) { ASSERT_EQ(must(net.params()), before) << n; }),
            4);
  EXPECT_EQ(must(net.params())["fc2.weight"_p].values()[0], 0.1F);
}

TEST_P(MemoryOn, OfTheHostThatEndsInAnInstantiationIsAnError) {
  const auto runtime = must(SharedRuntime::open(options_on(GetParam())));
  const auto plan = mlp_plan();
  const auto make = [&] { return instantiate_on<float>(runtime, define<Mlp>(), plan); };
  EXPECT_GT(exhaust(allocations_left, make, [](long) {}), 50);
  EXPECT_EQ(must(must(make()).params()), must(mlp_on<float>(GetParam()).params()));
}

TEST_P(MemoryOn, OfTheHostThatEndsInACallIsAnError) {
  auto net = mlp_on<float>(GetParam());
  const auto pack = must(net.params());
  const auto nothing = [](long) {};
  exhaust(
      allocations_left, [&] { return net.evaluate(x); }, nothing);
  exhaust(
      allocations_left, [&] { return net.forward(x, label); }, nothing);
  exhaust(
      allocations_left, [&] { return net.loss_and_backward(x, label); }, nothing);
  exhaust(
      allocations_left, [&] { return net.backward(x, label); }, nothing);
  exhaust(
      allocations_left, [&] { return net.mean_loss(3, x, label); }, nothing);
  exhaust(
      allocations_left, [&] { return net.init_optim(optim::adam()); }, nothing);
  EXPECT_EQ(must(net.params()), pack);
  ASSERT_TRUE(net.set_params(pack));
  exhaust(
      allocations_left, [&] { return net.params(); }, nothing);
  EXPECT_GT(exhaust(
                allocations_left, [&] { return net.set_params(pack); },
                [&](long n) { ASSERT_EQ(must(net.params()), pack) << n; }),
            4);
}

TEST_P(MemoryOn, OfTheHostThatEndsInAStepLeavesTheModuleTrainable) {
  auto net = mlp_on<float>(GetParam());
  Optimizer adam = must(net.init_optim(optim::adam()));
  exhaust(
      allocations_left, [&] { return net.step(0.1, x, label); }, [](long) {});
  exhaust(
      allocations_left, [&] { return net.step_with(adam, 0.1, x, label); }, [](long) {});
  exhaust(
      allocations_left, [&] { return net.train_with(adam, {.epochs = 1, .batch = 3, .shuffle = 1}, x, label); },
      [](long) {});
  const float before = must(net.forward(x, label));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(net.step(0.1, x, label));
  EXPECT_LT(must(net.forward(x, label)), before);
}

TEST_P(MemoryOn, TheFirstStepThatSucceedsIsAsIfNoneHadFailed) {
  auto net = mlp_on<float>(GetParam()), calm = mlp_on<float>(GetParam());
  const auto before = must(net.params());
  exhaust(
      allocations_left, [&] { return net.step(0.1, x, label); },
      [&](long n) { ASSERT_EQ(must(net.params()), before) << n; });
  ASSERT_TRUE(calm.step(0.1, x, label));
  EXPECT_EQ(must(net.params()), must(calm.params()));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, MemoryOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
