// Threads that begin together, and what happens where one of them cannot be started.
#include "at_once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <system_error>

namespace tenon::check {
namespace {

TEST(AtOnce, RunsEachShareOfTheWorkOnce) {
  std::array<std::atomic<int>, 4> done{};
  const Verdict verdict = at_once(done.size(), [&](std::size_t i) -> Verdict {
    ++done[i];
    return {};
  });
  EXPECT_TRUE(verdict);
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(AtOnce, AnswersWithTheFindingOfTheLowest) {
  const Verdict verdict = at_once(4, [](std::size_t i) -> Verdict {
    if (i < 2) return {};
    return wrong("thread " + std::to_string(i), "");
  });
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().found, "thread 2");
}

TEST(AtOnce, AnswersWithWhatIsThrown) {
  const auto found = [](const std::function<void()>& raise) {
    const Verdict verdict = at_once(4, [&](std::size_t i) -> Verdict {
      if (i == 1) raise();
      return {};
    });
    return verdict ? "nothing" : verdict.error().found;
  };
  EXPECT_EQ(found([] { throw std::runtime_error("no room"); }), "the check itself failed: no room");
  EXPECT_EQ(found([] { throw 1; }), "the check itself failed: an exception of an unknown type");
}

TEST(AtOnce, ReleasesThoseThatWaitForAThreadThatCannotBeStarted) {
  for (int startable = 0; startable < 4; ++startable) {
    std::atomic<int> worked = 0;
    const auto work = [&](std::size_t) -> Verdict {
      ++worked;
      return {};
    };
    int left = startable;
    const Verdict verdict = at_once(4, work, [&](std::function<void()> run) {
      if (left-- == 0) throw std::system_error(EAGAIN, std::generic_category());
      return start_thread(std::move(run));
    });
    ASSERT_FALSE(verdict);
    EXPECT_EQ(verdict.error().outcome, Outcome::failed);
    EXPECT_EQ(verdict.error().found,
              "of 4 threads " + std::to_string(startable) + " could be started: Resource temporarily unavailable");
    EXPECT_EQ(worked, 0);
  }
}

}  // namespace
}  // namespace tenon::check
