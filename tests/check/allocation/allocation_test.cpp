// The helper's allocator: it replaces that of this program.
#include "allocation.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>

namespace tenon::check {
namespace {

/// Each way by which the C library gives memory.
const std::map<std::string, void* (*)()>& ways() {
  static const std::map<std::string, void* (*)()> all{
      {"malloc", [] { return std::malloc(40); }},
      {"calloc", [] { return std::calloc(4, 10); }},
      {"realloc", [] { return std::realloc(nullptr, 40); }},
      {"reallocarray", [] { return reallocarray(nullptr, 4, 10); }},
      {"aligned_alloc", [] { return aligned_alloc(64, 64); }},
      {"memalign", [] { return memalign(64, 40); }},
      {"valloc", [] { return valloc(40); }},
      {"pvalloc", [] { return pvalloc(40); }},
      {"strdup", []() -> void* { return strdup("a text of some length, for which there is no room elsewhere"); }},
      {"posix_memalign",
       [] {
         void* memory = nullptr;
         return posix_memalign(&memory, 64, 40) == 0 ? memory : nullptr;
       }},
  };
  return all;
}

class HelperAllocation : public testing::Test {
 protected:
  void SetUp() override {
    if (control_.count == nullptr) GTEST_SKIP() << "a build with sanitizers keeps their allocator";
  }
  AllocationControl control_ = allocation_control();
};

TEST_F(HelperAllocation, CountsWhatIsTakenAndGivenBackByEachWay) {
  for (const auto& [name, take] : ways()) {
    const long taken = control_.count(), live = control_.live_blocks();
    void* memory = take();
    const long taken_then = control_.count(), live_then = control_.live_blocks();
    std::free(memory);
    const long live_at_last = control_.live_blocks();
    EXPECT_NE(memory, nullptr) << name;
    EXPECT_EQ(taken_then - taken, 1) << name;
    EXPECT_EQ(live_then - live, 1) << name;
    EXPECT_EQ(live_at_last, live) << name;
  }
}

TEST_F(HelperAllocation, FailsTheOneThatItIsTold) {
  for (const auto& [name, take] : ways()) {
    control_.fail_nth(1);
    void* first = take();
    void* second = take();
    void* third = take();
    const bool has_failed = control_.failed();
    control_.fail_nth(-1);
    EXPECT_NE(first, nullptr) << name;
    EXPECT_EQ(second, nullptr) << name;
    EXPECT_NE(third, nullptr) << name;
    EXPECT_TRUE(has_failed) << name;
    for (void* memory : {first, second, third}) std::free(memory);
  }
}

TEST_F(HelperAllocation, GivesWholePagesWhereTheyAreAskedFor) {
  const std::size_t page = 4096;  // divides that of every machine
  for (void* memory : {valloc(40), pvalloc(40)}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % page, 0u);
    std::free(memory);
  }
  void* memory = pvalloc(page + 1);
  EXPECT_GE(malloc_usable_size(memory), 2 * page);
  std::free(memory);
}

TEST_F(HelperAllocation, RefusesAlignmentsThatPosixRefuses) {
  const volatile std::size_t bad[] = {0, 1, 3, 4, 24, 100};
  char before = 0;
  for (const std::size_t alignment : bad) {
    void* memory = &before;
    EXPECT_EQ(posix_memalign(&memory, alignment, 40), EINVAL) << alignment;
    EXPECT_EQ(memory, &before) << alignment;
  }
}

TEST_F(HelperAllocation, RefusesPagesBeyondAllBounds) {
  const volatile std::size_t all = ~std::size_t{0};
  errno = 0;
  void* memory = pvalloc(all);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(errno, ENOMEM);
  std::free(memory);
}

}  // namespace
}  // namespace tenon::check
