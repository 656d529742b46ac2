#include "tenon/worker_pool.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tenon/fp_environment.h"

namespace tenon {
namespace {

struct Visits {
  explicit Visits(std::size_t n) : of(n) {}
  std::vector<std::atomic<int>> of;
  std::atomic<std::uint32_t> greatest_worker{0};
  std::atomic<std::uint64_t> shortest{UINT64_MAX};
  std::atomic<bool> strict{true};

  static void count(void* context, std::uint64_t begin, std::uint64_t end, std::uint32_t worker) {
    auto& visits = *static_cast<Visits*>(context);
    for (std::uint64_t i = begin; i < end; ++i) ++visits.of[i];
    if (worker > visits.greatest_worker) visits.greatest_worker = worker;
    if (end - begin < visits.shortest) visits.shortest = end - begin;
    if (!fp_environment_is_strict()) visits.strict = false;
  }

  bool all_once() const {
    for (const auto& visits : of)
      if (visits != 1) return false;
    return true;
  }
};

TEST(WorkerPool, VisitsEveryElementOnce) {
  for (const std::uint32_t workers : {1u, 2u, 3u, 8u}) {
    set_worker_count(workers);
    EXPECT_EQ(worker_count(), workers);
    for (const std::size_t n : {0u, 1u, 2u, 7u, 64u, 1000u, 12345u}) {
      Visits visits(n);
      EXPECT_EQ(parallel_for(n, 1, Visits::count, &visits), TENON_OK);
      EXPECT_TRUE(visits.all_once()) << n;
      EXPECT_LT(visits.greatest_worker, workers);
    }
  }
}

/// Ranges that throw while others are under way.
struct Throwing {
  std::atomic<int> under_way{0};

  static void fail(void* context, std::uint64_t begin, std::uint64_t, std::uint32_t) {
    auto& throwing = *static_cast<Throwing*>(context);
    ++throwing.under_way;
    std::this_thread::yield();
    --throwing.under_way;
    throw std::runtime_error("thrown at " + std::to_string(begin));
  }
};

TEST(WorkerPool, ThrowsWhatARangeThrewWhenNoneIsUnderWay) {
  for (const std::uint32_t workers : {1u, 2u, 8u}) {
    set_worker_count(workers);
    Throwing throwing;
    try {
      parallel_for(1000, 1, Throwing::fail, &throwing);
      ADD_FAILURE() << workers;
    } catch (const std::runtime_error& thrown) {
      EXPECT_EQ(std::string(thrown.what()).substr(0, 10), "thrown at ");
    }
    EXPECT_EQ(throwing.under_way, 0);
    Visits visits(1000);
    EXPECT_EQ(parallel_for(1000, 1, Visits::count, &visits), TENON_OK);
    EXPECT_TRUE(visits.all_once());
  }
}

TEST(WorkerPool, KeepsRangesAtLeastAsLongAsTheGrain) {
  set_worker_count(4);
  Visits visits(1000);
  parallel_for(1000, 300, Visits::count, &visits);
  EXPECT_TRUE(visits.all_once());
  EXPECT_GE(visits.shortest, 300u);
}

TEST(WorkerPool, CountsTheCoresThatTheProcessMayUseWhereNoNumberIsSet) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  set_worker_count(0);
  EXPECT_EQ(worker_count(), static_cast<std::uint32_t>(CPU_COUNT(&before)));
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  set_worker_count(0);
  EXPECT_EQ(worker_count(), 1u);
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(WorkerPool, RunsANestedLoopOnTheCallingThread) {
  set_worker_count(4);
  struct Outer {
    std::atomic<int> strays{0}, visits{0};
  } outer;
  struct Inner {
    Outer* outer;
    std::thread::id owner;
  };
  const auto inner = [](void* context, std::uint64_t begin, std::uint64_t end, std::uint32_t worker) {
    auto& in = *static_cast<Inner*>(context);
    if (std::this_thread::get_id() != in.owner || worker != 0) ++in.outer->strays;
    in.outer->visits += static_cast<int>(end - begin);
  };
  struct Context {
    Outer* outer;
    tenon_parallel_fn* inner;
  } context{&outer, inner};
  const auto body = [](void* given, std::uint64_t begin, std::uint64_t end, std::uint32_t) {
    auto& in = *static_cast<Context*>(given);
    for (std::uint64_t i = begin; i < end; ++i) {
      Inner nested{in.outer, std::this_thread::get_id()};
      parallel_for(10, 1, in.inner, &nested);
    }
  };
  parallel_for(50, 1, body, &context);
  EXPECT_EQ(outer.strays, 0);
  EXPECT_EQ(outer.visits, 500);
}

TEST(WorkerPool, RunsALoopWithinALoopOfOneRangeOnTheCallingThread) {
  set_worker_count(4);
  Visits visits(400);
  const auto body = [](void* context, std::uint64_t, std::uint64_t, std::uint32_t) {
    for (int i = 0; i < 2; ++i) parallel_for(200, 1, Visits::count, context);
  };
  parallel_for(1, 1, body, &visits);
  EXPECT_EQ(visits.greatest_worker, 0u);
  EXPECT_EQ(visits.shortest, 200u);
  Visits after(400);
  parallel_for(400, 1, Visits::count, &after);
  EXPECT_LT(after.shortest, 400u);  // parallel again
}

TEST(WorkerPool, GivesEveryWorkerTheStrictEnvironment) {
  set_worker_count(4);
  std::fesetround(FE_UPWARD);  // new threads inherit it
  stop_workers();
  Visits visits(100);
  const auto body = [](void* context, std::uint64_t begin, std::uint64_t end, std::uint32_t worker) {
    if (worker != 0) Visits::count(context, begin, end, worker);
  };
  parallel_for(100, 1, body, &visits);
  std::fesetround(FE_TONEAREST);
  EXPECT_TRUE(visits.strict);
}

TEST(WorkerPool, ServesSeveralThreadsAtOnce) {
  set_worker_count(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        Visits visits(100);
        parallel_for(100, 1, Visits::count, &visits);
        if (!visits.all_once()) ++wrong;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(WorkerPool, StartsAgainAfterItWasStopped) {
  set_worker_count(2);
  for (int i = 0; i < 3; ++i) {
    Visits visits(50);
    parallel_for(50, 1, Visits::count, &visits);
    EXPECT_TRUE(visits.all_once());
    stop_workers();
  }
}

TEST(WorkerPool, WorksInAForkedChild) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer ends a forked child that starts threads";
#endif
  set_worker_count(3);
  Visits before(50);
  parallel_for(50, 1, Visits::count, &before);
  const pid_t child = ::fork();
  if (child == 0) {
    Visits visits(50);
    parallel_for(50, 1, Visits::count, &visits);
    ::_exit(visits.all_once() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(WorkerPool, RefusesALoopWithoutABody) {
  EXPECT_EQ(parallel_for(1, 1, nullptr, nullptr), TENON_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tenon
