// The mutation matrix: each planted bug must be reported as what it is, at both widths of warps and in every order of
// threads, and nothing may be said of the right forms. This tests the checkers, which test the kernels.
#include "families.h"

namespace gpusim {
namespace {

using Run = Outcome (*)(Device&, const Library&, const std::string&);

struct Mutant {
  const char* kernel;
  Run run;
  std::set<std::string> must;      // every one of these is reported
  std::set<std::string> may = {};  // what the bug may lead to besides
  unsigned only_width = 0;         // at the other width it is no bug; 0: a bug at both
};

const std::string race = "data race", bounds = "out of bounds", unwritten = "uninitialised read",
                  barrier = "barrier in divergent code", inactive = "value of an inactive lane";

const Mutant mutants[] = {
    {"matmul_first_barrier_missing", run_matmul, {race}, {unwritten}},
    {"matmul_second_barrier_missing", run_matmul, {race}},
    {"matmul_rows_unguarded", run_matmul, {bounds}},
    {"matmul_early_exit", run_matmul, {barrier}, {unwritten}},
    {"matmul_index_beyond_tile", run_matmul, {bounds}},
    {"matmul_store_unguarded", run_matmul, {bounds}},
    {"sum_barrier_missing", run_sum, {race}, {unwritten}},
    {"sum_mask_of_32_lanes", run_sum, {"lane not in its own mask"}, {}, 64},
    {"sum_one_too_far", run_sum, {bounds}},
    {"sum_not_atomic", run_sum, {race}},
    {"sum_partials_unwritten", run_sum, {unwritten}},
    {"sum_tree_without_barrier", run_sum, {race}},
    {"sum_barrier_in_branch", run_sum, {barrier}, {race}},
    {"softmax_buffer_reused_early", run_softmax, {race}},
    {"softmax_shuffle_in_branch", run_softmax, {"stuck"}},
    {"softmax_buffer_short", run_softmax, {bounds}},
    {"softmax_maximum_unwritten", run_softmax, {unwritten}},
    {"warp_barrier_missing", run_single, {race}, {unwritten}},
    {"misaligned_vector", run_single, {"misaligned"}},
    {"histogram_not_atomic", run_single, {race}},
    {"atomic_and_plain", run_single, {race}},
    {"unwritten_input_read", run_single, {unwritten}},
    {"blocks_write_one_element", run_single, {race}},
    {"neighbour_block_read", run_single, {race}, {unwritten}},
    {"shared_index_beyond", run_single, {bounds}},
    {"host_pointer", run_single, {bounds}, {unwritten}},
    {"below_the_begin", run_single, {bounds}},
    {"constant_written", run_single, {"write to a constant"}},
    {"local_of_another", run_single, {"local variable of another thread"}},
    {"different_barriers", run_single, {barrier}},
    {"waits_for_ever", run_single, {"stuck"}},
    {"shuffle_from_beyond_the_block", run_single, {}},
    {"barrier_for_half_of_a_warp", run_single, {"stuck"}},
    {"unmasked_from_inactive", run_single, {inactive}},
    {"set_beside_atomics", run_single, {race}, {unwritten}},
    {"read_beside_atomics", run_single, {race}},
    {"barriers_of_one_function", run_single, {barrier}},
    {"shuffle_in_both_branches", run_single, {"stuck"}},
    {"shuffle_of_no_width", run_single, {"width that no shuffle has"}},
    {"shuffle_wider_than_a_warp", run_single, {"width that no shuffle has"}},
    {"lanes_meet_in_global_memory", run_single, {race}, {unwritten}},
    {"warp_barrier_between_warps", run_single, {race}, {unwritten}, 32},
    {"read_then_overwritten", run_single, {race}},
    {"shared_of_the_block_before", run_single, {unwritten}},
    {"local_index_beyond", run_single, {bounds}},
    {"last_byte_beyond", run_single, {bounds}},
    {"moved_beyond", run_single, {bounds}, {race}},
    {"vector_of_scalars", run_single, {bounds}},
    {"half_of_the_lanes_sync", run_single, {"stuck"}},
    {"one_warp_at_the_barrier", run_single, {barrier}, {}, 32},
};

void PrintTo(const Mutant& mutant, std::ostream* stream) { *stream << mutant.kernel; }

class Mutants : public testing::TestWithParam<std::tuple<Mutant, Way>> {};

TEST_P(Mutants, AreReportedAsWhatTheyAre) {
  const auto& [mutant, way] = GetParam();
  Device device(way.settings());
  mutant.run(device, instrumented(), mutant.kernel);
  const bool is_bug = mutant.only_width == 0 || mutant.only_width == way.warp_width;
  const std::set<std::string> found = faults(device);
  std::set<std::string> missing = is_bug ? mutant.must : std::set<std::string>{}, surprising = found;
  for (const std::string& fault : found) missing.erase(fault);
  for (const std::string& fault : mutant.must) surprising.erase(fault);
  for (const std::string& fault : mutant.may) surprising.erase(fault);
  EXPECT_TRUE(missing.empty()) << "not reported: " << *missing.begin() << "\n" << device.reports().text();
  EXPECT_TRUE(surprising.empty()) << "reported: " << *surprising.begin() << "\n" << device.reports().text();
}

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::Combine(testing::ValuesIn(mutants), testing::ValuesIn(ways())),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param).kernel) + "_" + name_of(std::get<1>(of.param));
                         });

struct Right {
  const char* kernel;
  Run run;
};
const Right rights[] = {
    {"matmul", run_matmul},
    {"sum_shuffles", run_sum},
    {"sum_tree", run_sum},
    {"softmax", run_softmax},
    {"warp_barrier", run_single},
    {"table_read", run_single},
    {"vectors_read", run_single},
    {"histogram", run_single},
    {"greatest_by_swap", run_single},
    {"ballot_of_warp", run_single},
    {"halves_apart", run_single},
    {"shuffle_with_width", run_single},
    {"barriers_in_uniform_branches", run_single},
    {"parts_moved", run_single},
    {"local_array", run_single},
};

void PrintTo(const Right& right, std::ostream* stream) { *stream << right.kernel; }

class RightKernels : public testing::TestWithParam<std::tuple<Right, Way>> {};

TEST_P(RightKernels, AreNotReported) {
  const auto& [right, way] = GetParam();
  Device device(way.settings());
  const Outcome outcome = right.run(device, instrumented(), right.kernel);
  EXPECT_TRUE(outcome.finished);
  EXPECT_TRUE(device.reports().empty()) << device.reports().text();
}

TEST_P(RightKernels, ComputeTheSameInBothForms) {
  const auto& [right, way] = GetParam();
  Device with(way.settings()), without(way.settings());
  const Outcome checked = right.run(with, instrumented(), right.kernel);
  const Outcome unchecked = right.run(without, plain(), right.kernel);
  ASSERT_EQ(checked.values.size(), unchecked.values.size());
  for (std::size_t i = 0; i < checked.values.size(); ++i) {
    if (std::isnan(checked.values[i])) continue;  // not written by vectors_read
    EXPECT_EQ(checked.values[i], unchecked.values[i]) << i;
  }
  for (std::size_t i = 0; i < checked.expected.size(); ++i)
    EXPECT_NEAR(checked.values[i], checked.expected[i], 1e-6f) << i;
}

INSTANTIATE_TEST_SUITE_P(All, RightKernels, testing::Combine(testing::ValuesIn(rights), testing::ValuesIn(ways())),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param).kernel) + "_" + name_of(std::get<1>(of.param));
                         });

}  // namespace
}  // namespace gpusim
