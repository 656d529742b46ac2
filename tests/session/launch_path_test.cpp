// Counts what a training step allocates: nothing, once it has run twice.
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "session/where.h"

// The sanitizers bring an allocator of their own. g++ says so by a macro, clang by a feature.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENON_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#define TENON_COUNTS_ALLOCATIONS !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TENON_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<std::uint64_t> allocations{0};
}

#if TENON_COUNTS_ALLOCATIONS
// glibc's own allocator under its other names; ours take the public ones for the whole process, plugins included.
// Shared libraries see them only where they are visible.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) { return ++allocations, __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) { return ++allocations, __libc_calloc(count, bytes); }
void* realloc(void* old, std::size_t bytes) { return ++allocations, __libc_realloc(old, bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return ++allocations, __libc_memalign(alignment, bytes);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) {
  ++allocations;
  *out = __libc_memalign(alignment, bytes);
  return *out == nullptr ? ENOMEM : 0;
}
}
#pragma GCC visibility pop
#endif

namespace tenon::test {
namespace {

class LaunchPathOn : public testing::TestWithParam<Where> {};

TEST_P(LaunchPathOn, AllocatesNothingInASteadyTrainingStep) {
  if (!TENON_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizers bring an allocator of their own";
  Session session = session_of(GetParam(), small_mlp(), {.real = DType::f32, .training_batches = {8}});
  ASSERT_TRUE(session.initialise(initial_values(session.program(), 1)));
  auto optimizer = session.init_optim({Op::adam, Moments{}});
  const Rows data(8);
  const Batch batch = data.batch();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.train_step(batch, *optimizer, 0.01));
  const std::uint64_t before = allocations;
  double loss = 0;
  for (int i = 0; i < 100; ++i) loss += *session.train_step(batch, *optimizer, 0.01);
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(loss, 0);
}

TEST_P(LaunchPathOn, AllocatesNothingForAnAttributeThatIsNaN) {
  if (!TENON_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizers bring an allocator of their own";
  Program program;
  program.name = "nothing";
  program.loss = [](const ProgramArguments& a) {
    return fill(a.recorder, Constant{Shape{}, std::numeric_limits<double>::quiet_NaN()});
  };
  Session session = session_of(GetParam(), program, {});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.loss({}));
  const std::uint64_t before = allocations;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session.loss({}));
  EXPECT_EQ(allocations - before, 0u);
}

TEST_P(LaunchPathOn, TheCounterSeesAllocations) {
  if (!TENON_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizers bring an allocator of their own";
  const std::uint64_t before = allocations;
  auto* volatile block = new std::vector<double>(1000);
  EXPECT_GE(allocations - before, 2u);
  delete block;
}

INSTANTIATE_TEST_SUITE_P(Everywhere, LaunchPathOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
