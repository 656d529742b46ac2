// The functions of the program that are worth a test alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "examples.h"
#include "model.h"
#include "table.h"
#include "tenon/random.h"
#include "tenon/shuffle.h"

namespace tenon::cli {
namespace {

TEST(Permutation, HoldsEachNumberOnce) {
  for (const std::uint64_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<std::uint64_t> order = permutation(count, 3, 1), all(count);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    EXPECT_TRUE(count < 1000 || order != all);
    std::ranges::sort(order);
    EXPECT_EQ(order, all);
  }
}

TEST(Permutation, IsDecidedBySeedAndRound) {
  EXPECT_EQ(permutation(50, 1, 2), permutation(50, 1, 2));
  EXPECT_NE(permutation(50, 1, 2), permutation(50, 1, 3));
  EXPECT_NE(permutation(50, 1, 2), permutation(50, 2, 2));
  EXPECT_NE(permutation(50, 1, 2), permutation(50, 2, 1));
}

TEST(Permutation, PutsEveryNumberEverywhereAboutAsOften) {
  std::vector<int> first(5);
  for (std::uint64_t seed = 0; seed < 5000; ++seed) ++first[permutation(5, seed, 0)[0]];
  for (const int times : first) EXPECT_NEAR(times, 1000, 150);
}

TEST(BatchSizes, AreFullAndLast) {
  EXPECT_EQ(batch_sizes(70, 32), (std::vector<std::uint64_t>{32, 6}));
  EXPECT_EQ(batch_sizes(64, 32), (std::vector<std::uint64_t>{32}));
  EXPECT_EQ(batch_sizes(5, 32), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(batch_sizes(0, 32), (std::vector<std::uint64_t>{}));
}

TEST(GreatestColumns, TakeTheFirstOfEquals) {
  EXPECT_EQ(greatest_columns(std::vector<double>{1, 3, 3, 2, 0, 1}, 3), (std::vector<std::uint32_t>{1, 0}));
}

TEST(Model, CountsEveryInitialiserIntoItsSeeds) {
  const Program program = make_program({&models()[1], 4, {8, 6}, 3});
  ASSERT_EQ(program.parameters.size(), 6u);
  EXPECT_EQ(program.parameters[2].name, "fc2.weight");
  EXPECT_EQ(program.parameters[2].shape, (Shape{6, 8}));
  const auto inits = initial_values(program, 42);
  ASSERT_TRUE(inits);
  EXPECT_EQ((*inits)[1].op, Op::fill);
  EXPECT_EQ((*inits)[2].op, Op::init_uniform);
  EXPECT_EQ((*inits)[2].key, random::key(random::next_seed(42, 2), 0));
}

TEST(Table, AlignsByLettersNotBytes) {
  EXPECT_EQ(aligned(std::vector<std::vector<std::string>>{{"a", "b"}, {"ℝℝ", "c"}}), "a   b\nℝℝ  c\n");
  EXPECT_EQ(one_line("a:\n  b\n\n  c"), "a:; b; c");
}

}  // namespace
}  // namespace tenon::cli
