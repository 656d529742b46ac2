#include "tenon/memory_plan.h"

#include <gtest/gtest.h>

#include <random>

namespace tenon {
namespace {

constexpr std::uint64_t alignment = 64;

using Lifetimes = std::vector<Lifetime>;

std::uint64_t end_of(const Lifetimes& lifetimes, const MemoryPlan& plan, std::size_t i) {
  return plan.offset_bytes[i] + lifetimes[i].bytes;
}

/// Are there two storages that are needed at once and share a byte?
bool any_overlap(const Lifetimes& lifetimes, const MemoryPlan& plan) {
  for (std::size_t i = 0; i < lifetimes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Lifetime &a = lifetimes[i], &b = lifetimes[j];
      const bool at_once = std::max(a.first, b.first) <= std::min(a.last, b.last);
      const bool in_place = std::max(plan.offset_bytes[i], plan.offset_bytes[j]) <
                            std::min(end_of(lifetimes, plan, i), end_of(lifetimes, plan, j));
      if (at_once && in_place) return true;
    }
  return false;
}

void expect_sound(const Lifetimes& lifetimes, const MemoryPlan& plan) {
  ASSERT_EQ(plan.offset_bytes.size(), lifetimes.size());
  EXPECT_FALSE(any_overlap(lifetimes, plan));
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    EXPECT_EQ(plan.offset_bytes[i] % alignment, 0u);
    EXPECT_LE(end_of(lifetimes, plan, i), plan.bytes);
  }
}

/// The most bytes that are needed at one moment: no plan can do with less.
std::uint64_t most_at_once(const Lifetimes& lifetimes) {
  std::uint64_t most = 0;
  for (const Lifetime& moment : lifetimes) {
    std::uint64_t bytes = 0;
    for (const Lifetime& l : lifetimes)
      if (l.first <= moment.first && moment.first <= l.last) bytes += (l.bytes + alignment - 1) / alignment * alignment;
    most = std::max(most, bytes);
  }
  return most;
}

Lifetimes drawn(std::mt19937& draw) {
  Lifetimes lifetimes;
  const std::size_t count = draw() % 40, moments = 1 + draw() % 30;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t a = draw() % moments, b = draw() % moments;
    const std::uint64_t bytes = draw() % 4 == 0 ? 64 * (draw() % 5) : draw() % 1000;
    lifetimes.push_back({i, bytes, std::min(a, b), std::max(a, b)});
  }
  return lifetimes;
}

/// n nodes, each of which reads the one before.
Lifetimes chain(std::size_t n, std::uint64_t bytes) {
  Lifetimes lifetimes;
  for (std::uint32_t i = 0; i < n; ++i) lifetimes.push_back({i, bytes, i, i + std::size_t{1}});
  return lifetimes;
}

TEST(PlaceByLifetime, NeverLetsStoragesMeetThatAreNeededAtOnce) {
  std::mt19937 draw(1);
  for (int round = 0; round < 2000; ++round) {
    const Lifetimes lifetimes = drawn(draw);
    const MemoryPlan plan = place_by_lifetime(lifetimes, alignment);
    expect_sound(lifetimes, plan);
    EXPECT_GE(plan.bytes, most_at_once(lifetimes));
    EXPECT_LE(plan.bytes, place_apart(lifetimes, alignment).bytes);
    if (testing::Test::HasFailure()) FAIL() << "in round " << round;
  }
}

TEST(PlaceByLifetime, AChainOfEqualNodesNeedsTheMemoryOfTwo) {
  for (const std::size_t n : {2U, 3U, 10U, 101U})
    EXPECT_EQ(place_by_lifetime(chain(n, 256), alignment).bytes, 512u) << n;
}

TEST(PlaceByLifetime, UsesAGapBetweenTwoThatLive) {
  const Lifetimes lifetimes{{0, 128, 0, 1}, {1, 64, 0, 5}, {2, 128, 2, 3}, {3, 64, 4, 5}};
  const MemoryPlan plan = place_by_lifetime(lifetimes, alignment);
  EXPECT_EQ(plan.bytes, 192u);
  EXPECT_EQ(plan.offset_bytes, (std::vector<std::uint64_t>{0, 128, 0, 0}));
}

TEST(PlaceByLifetime, AlignsEveryPlaceToWhatTheDeviceAsks) {
  const Lifetimes lifetimes{{0, 1, 0, 9}, {1, 1, 0, 9}, {2, 257, 0, 9}};
  const MemoryPlan plan = place_by_lifetime(lifetimes, 256);
  EXPECT_EQ(plan.offset_bytes, (std::vector<std::uint64_t>{512, 768, 0}));
  EXPECT_EQ(plan.bytes, 1024u);
}

TEST(PlaceByLifetime, NothingNeedsNoMemory) {
  EXPECT_EQ(place_by_lifetime({}, alignment).bytes, 0u);
  const MemoryPlan plan = place_by_lifetime(Lifetimes{{0, 0, 0, 1}, {1, 0, 0, 1}}, alignment);
  EXPECT_EQ(plan.bytes, 0u);
  EXPECT_EQ(plan.offset_bytes, (std::vector<std::uint64_t>{0, 0}));
}

TEST(PlaceByLifetime, IsTheSameEveryTime) {
  std::mt19937 draw(2);
  const Lifetimes lifetimes = drawn(draw);
  EXPECT_EQ(place_by_lifetime(lifetimes, alignment).offset_bytes, place_by_lifetime(lifetimes, alignment).offset_bytes);
}

TEST(PlaceApart, GivesEveryStorageAPlaceOfItsOwn) {
  const Lifetimes lifetimes{{0, 4, 0, 0}, {1, 0, 1, 1}, {2, 65, 2, 2}, {3, 64, 3, 3}};
  const MemoryPlan plan = place_apart(lifetimes, alignment);
  EXPECT_EQ(plan.offset_bytes, (std::vector<std::uint64_t>{0, 64, 64, 192}));
  EXPECT_EQ(plan.bytes, 256u);
}

TEST(PlaceApart, NoTwoStoragesShareAByteWhenever) {
  std::mt19937 draw(3);
  for (int round = 0; round < 200; ++round) {
    Lifetimes lifetimes = drawn(draw);
    const MemoryPlan plan = place_apart(lifetimes, alignment);
    for (Lifetime& l : lifetimes) l.first = 0, l.last = 100;
    expect_sound(lifetimes, plan);
  }
}

}  // namespace
}  // namespace tenon
