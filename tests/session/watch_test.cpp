// A watch of sessions: what its observers are told, and that nobody is told of what ran before or after.
#include "session/where.h"

namespace tenon::test {
namespace {

/// Writes down what it is told.
class Diary final : public RunObserver {
 public:
  explicit Diary(bool wants_times = true) : wants_times_(wants_times) {}
  bool needs_times() const override { return wants_times_; }
  void first_launch(const Kernel& kernel, std::uint32_t number) override {
    EXPECT_EQ(number, kernels.size());
    kernels.push_back(kernel.choice().capsule->op);
  }
  void launched(std::uint32_t kernel, TimeSpan when) override {
    launches.push_back(kernels.at(kernel));
    times.push_back(when);
  }
  void copied(CopyKind kind, std::uint64_t bytes, TimeSpan) override { copies.emplace_back(kind, bytes); }
  void memory(std::uint64_t bytes, std::uint64_t) override { in_use = bytes; }
  void passed(std::string_view name, TimeSpan, std::size_t depth) override {
    parts.push_back(std::string(depth, '.') + std::string(name));
  }

  std::vector<std::string> kernels, launches, parts;
  std::vector<TimeSpan> times;
  std::vector<std::pair<CopyKind, std::uint64_t>> copies;
  std::uint64_t in_use = 0;

 private:
  bool wants_times_;
};

class WatchOn : public testing::TestWithParam<Where> {
 protected:
  Registry registry_ = registry_of(GetParam().device, policy_of(DType::f32));

  Session session(Program program, Watch* watch) {
    auto made = Session::create(registry_, std::move(program), {.backend = GetParam().backend, .watch = watch});
    EXPECT_TRUE(made) << to_string(made.error());
    return *std::move(made);
  }
};

TEST_P(WatchOn, TellsThePartsOfAStepInOrder) {
  Diary diary;
  Watch watch(registry_.device(), {&diary});
  Session watched = session(small_mlp(), &watch);
  ASSERT_TRUE(watched.initialise(initial_values(watched.program(), 1)));
  auto optimizer = watched.init_optim({Op::adam, Moments{}});
  const Rows data(8);
  ASSERT_TRUE(watched.train_step(data.batch(), *optimizer, 0.01));
  ASSERT_TRUE(watched.loss(data.batch()));
  EXPECT_EQ(diary.parts,
            (std::vector<std::string>{"initialise", ".forward", ".gradient", ".update", "step", ".forward", "loss"}));
  EXPECT_EQ(std::ranges::count(diary.launches, "adam"), 4);
  EXPECT_EQ(std::ranges::count(diary.kernels, "adam"), 4);  // for parameters of four shapes
  const std::vector<std::pair<CopyKind, std::uint64_t>> batch{{CopyKind::in, 8 * 3 * 4}, {CopyKind::in, 8 * 4}};
  EXPECT_EQ(std::vector(diary.copies.begin(), diary.copies.begin() + 2), batch);
  EXPECT_EQ(diary.copies[2], std::pair(CopyKind::out, std::uint64_t{4}));
}

TEST_P(WatchOn, CountsMemoryUntilAllIsGivenBackAndHearsNothingAfterwards) {
  Diary diary;
  {
    Watch watch(registry_.device(), {&diary});
    {
      Session watched = session(small_mlp(), &watch);
      EXPECT_EQ(diary.in_use, 4u * (12 + 4 + 12 + 3));
    }
    EXPECT_EQ(diary.in_use, 0u);
    EXPECT_EQ(watch.facts(true).peak_bytes, 4u * (12 + 4 + 12 + 3));
  }
  const std::size_t copies = diary.copies.size();
  Session unwatched = session(small_mlp(), nullptr);
  ASSERT_TRUE(unwatched.loss(Rows(4).batch()));
  EXPECT_EQ(diary.copies.size(), copies);
  EXPECT_EQ(diary.launches.size(), 0u);
}

TEST_P(WatchOn, LooksAtNoClockWhereNobodyWantsTimes) {
  Diary diary(false);
  Watch watch(registry_.device(), {&diary});
  Session watched = session(small_mlp(), &watch);
  ASSERT_TRUE(watched.loss(Rows(4).batch()));
  ASSERT_FALSE(diary.times.empty());
  for (const TimeSpan& when : diary.times) EXPECT_EQ(when.begin_ns + when.end_ns, 0u);
  EXPECT_EQ(watch.facts(true).times, TimeSource::host_clock);
}

TEST_P(WatchOn, KnowsAKernelAgainThatIsPreparedAnew) {
  Program program = small_mlp();
  auto calls = std::make_shared<int>(0);
  program.loss = [calls, loss = program.loss](const ProgramArguments& a) {
    // Not what was recorded: from the second call on the eager backend serves it operation by operation.
    return ++*calls == 1 ? loss(a) : scale(loss(a), Factor{2});
  };
  Diary diary;
  Watch watch(registry_.device(), {&diary});
  Session watched = session(program, &watch);
  const Rows data(4);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(watched.loss(data.batch()));
  std::vector<std::string> kernels = diary.kernels;
  std::ranges::sort(kernels);
  const bool eager = GetParam().backend == Backend::eager;
  EXPECT_EQ(std::ranges::count(kernels, "scale"), eager ? 1 : 0);
  EXPECT_EQ(std::ranges::count(diary.launches, "scale"), eager ? 3 : 0);
  EXPECT_EQ(std::ranges::count(kernels, "cross_entropy"), 1);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, WatchOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
