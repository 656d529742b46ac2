// Each fault of mutants.cmake is seen: by a report of the simulator, or by bits that differ.
#include "host.h"

namespace gpusim::msl {
namespace {

using namespace tenon_metal;

struct Seen {
  std::vector<std::string> faults;
  bool differs;

  bool has(const std::string& fault) const {
    for (const std::string& words : faults)
      if (words.starts_with(fault)) return true;
    return false;
  }
};

constexpr float tiny = 0x1p-130f;  // makes subnormals, which only an exact fold keeps

class MetalMutants : public testing::TestWithParam<Way> {
 protected:
  static Library& mutant(const std::string& name) {
    return library_at((std::string(MSL_MUTANTS) + "/gpusim_metal_mutant_" + name + ".so").c_str());
  }

  /// Two slabs and some, of 33 rows: more than a tile's.
  Seen matmul(Library& library, float scale = 1) const {
    constexpr unsigned rows = 33, depth = 37, columns = 4;
    Floats left = drawn(rows * depth, Range::ordinary, 1);
    for (float& element : left) element *= scale;
    const Floats right = drawn(depth * columns, Range::ordinary, 2);
    Floats expected;
    for (unsigned i = 0; i < rows * columns; ++i) {
      float sum = 0;
      for (unsigned k = 0; k < depth; ++k) sum = sum + left[i / columns * depth + k] * right[k * columns + i % columns];
      expected.push_back(sum);
    }
    Product shape{};
    shape.rows = rows;
    shape.depth = depth;
    shape.columns = columns;
    shape.matrices = 1;
    return run(library, "products_matmul_small", {1, 2, 1}, small_tile_threads, {left, right}, expected, shape);
  }
  Seen row_sums(Library& library) const {
    constexpr unsigned rows = 19, n = 21;  // more than a threadgroup has teams
    const Floats y = drawn(rows * n, Range::ordinary, 3), g = drawn(rows * n, Range::ordinary, 4);
    Floats expected;
    for (unsigned row = 0; row < rows; ++row) {
      const float sum =
          tenon::strict::tree_sum<float>(n, [&](std::uint64_t i) { return g[row * n + i] * y[row * n + i]; });
      for (unsigned i = row * n; i < (row + 1) * n; ++i) expected.push_back(y[i] * (g[i] - sum));
    }
    return run(library, "rows_softmax_vjp", {1, 1, 1}, team_threads, {y, g}, expected, Rows{rows, n, 0});
  }
  Seen halves(Library& library) const {
    const Floats x = {0x1p-126f, 0x1.8p-126f, 1, 3, 5};
    Floats expected;
    for (const float element : x) expected.push_back(element * 0.5f);
    return run(library, "elementwise_scale", {1, 1, 1}, 8, {x}, expected, Elementwise{5, 0.5f, 0});
  }

 private:
  template <class Constants>
  Seen run(Library& library, const std::string& name, Extent grid, unsigned threads,
           const std::vector<Floats>& operands, const Floats& expected, const Constants& constants) const {
    Runner runner(library, GetParam());
    std::vector<void*> arrays;
    for (const Floats& operand : operands) arrays.push_back(runner.of(operand));
    auto* result = runner.unwritten<float>(expected.size());
    arrays.push_back(result);
    const gpusim_kernel* kernel = library.find(name);
    arrays.push_back(runner.of(std::vector<Constants>{constants}));
    std::vector<void*> arguments;
    for (void*& array : arrays) arguments.push_back(&array);
    const ::msl::HostsArithmetic at_the_end;
    runner.device().run(library, *kernel, {grid, {threads, 1, 1}, arguments.data()});
    const Floats found = runner.read(result, expected.size());
    return {runner.faults(), std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)) != 0};
  }
};

TEST_P(MetalMutants, HaveNothingToSeeWithoutAFault) {
  for (const Seen& seen : {matmul(checked()), matmul(checked(), tiny), row_sums(checked()), halves(checked())}) {
    EXPECT_EQ(seen.faults, std::vector<std::string>());
    EXPECT_FALSE(seen.differs);
  }
}

TEST_P(MetalMutants, OfProductsAreSeen) {
  EXPECT_TRUE(matmul(mutant("products_without_barrier")).has("data race"));
  EXPECT_TRUE(matmul(mutant("products_reloaded_early")).has("data race"));
  EXPECT_TRUE(matmul(mutant("products_flag_not_cleared")).has("uninitialised read"));
  EXPECT_TRUE(matmul(mutant("products_without_exact_fold"), tiny).differs);
  EXPECT_TRUE(matmul(mutant("products_from_the_last_k")).differs);
  EXPECT_TRUE(matmul(mutant("products_beyond_the_rows")).has("out of bounds"));
}

TEST_P(MetalMutants, OfSumsAreSeen) {
  EXPECT_TRUE(row_sums(mutant("sums_without_barrier")).has("data race"));
  EXPECT_TRUE(row_sums(mutant("sums_in_pairs")).differs);
  EXPECT_TRUE(row_sums(mutant("sums_by_working_teams_only")).has("barrier in divergent code"));
}

TEST_P(MetalMutants, OfElementsAreSeen) {
  EXPECT_TRUE(halves(mutant("quads_beyond_the_end")).has("out of bounds"));
  EXPECT_TRUE(halves(mutant("subnormals_left_to_the_device")).differs);
}

INSTANTIATE_TEST_SUITE_P(At, MetalMutants, testing::ValuesIn(ways()),
                         [](const auto& way) { return "Width" + std::to_string(way.param.width); });

}  // namespace
}  // namespace gpusim::msl
