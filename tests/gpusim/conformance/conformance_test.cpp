// Every operation's cases on the plugins' kernels, each access looked at. An operand or result has an allocation of its
// own, which ends where it does; `tenon check`, which looks for writes beyond, gives each a margin that may be read.
//
// One process has warps of one width: the vendors' (32 and 64), or TENON_GPUSIM_WARP. GPUSIM_OPS names the operations,
// with commas between; all, where it is not set. With GPUSIM_DRIVER=real the driver is the machine's, and looks at
// nothing.
#include <dlfcn.h>

#include <cstdlib>

#include "driver/driver.h"
#include "support/draw_case.h"
#include "support/run_op.h"

namespace tenon::test {
namespace {

using gpusim::driver::Driver;
using gpusim::driver::Vendor;

struct Numbers {
  const char* name;
  DType real;
  bool strict;
};
constexpr Numbers all_numbers[] = {
    {"float32", DType::f32, true}, {"float32_fast", DType::f32, false}, {"float64", DType::f64, false}};

void PrintTo(const Numbers& numbers, std::ostream* stream) { *stream << numbers.name; }

using Where = std::tuple<std::string, Numbers>;

class Checked : public testing::TestWithParam<Where> {
 protected:
  // The plugin asks for the driver by the name that this one then has already.
  static void SetUpTestSuite() {
    if (is_real()) return;
    setenv("TENON_GPUSIM_KERNELS", GPUSIM_CHECKED, 0);
    for (const char* driver : {"libcuda.so.1", "libamdhip64.so.5"})
      dlopen((std::string(GPUSIM_FOLDER "/") + driver).c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  static bool is_real() {
    const char* driver = std::getenv("GPUSIM_DRIVER");
    return driver != nullptr && std::string(driver) == "real";
  }
  static Driver& driver(const std::string& kind) { return Driver::of(kind == "cuda" ? Vendor::cuda : Vendor::hip); }
  static std::uint64_t launches(const std::string& kind) { return is_real() ? 0 : driver(kind).launches(); }
  static std::vector<std::string> complaints(const std::string& kind) {
    return is_real() ? std::vector<std::string>() : driver(kind).complaints();
  }

  static bool is_wanted(Op op) {
    const char* names = std::getenv("GPUSIM_OPS");
    if (names == nullptr) return true;
    return ("," + std::string(names) + ",").find("," + std::string(name(op)) + ",") != std::string::npos;
  }
};

void expect_agreement(OpRunner& runner, Op op, const Case& c, const Numbers& numbers) {
  const auto operands = operands_of(op, c, numbers.real);
  const auto found = runner.run(op, operands, c.attributes, c.scalars);
  ASSERT_TRUE(found) << to_string(found.error());
  const auto expected = reference_of(op, c, operands);
  const double tolerance = numbers.real == DType::f32 ? c.tolerance : 1e-9 * c.tolerance / 4e-6;
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const auto values = to_doubles(found->bytes[output], numbers.real);
    ASSERT_EQ(values.size(), expected[output].values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_TRUE(agrees(values[i], expected[output].values[i], tolerance))
          << "output " << output << " element " << i << ": found " << values[i] << ", expected "
          << expected[output].values[i];
  }
}

TEST_P(Checked, KernelsTouchWhatTheyMay) {
  const auto& [kind, numbers] = GetParam();
  OpRunner runner(registry_of(kind, {.strict = numbers.strict}), numbers.real);
  const std::uint64_t before = launches(kind);
  for (const OpSpec& row : all_ops()) {
    if (!is_wanted(row.op)) continue;
    for (const Case& c : columns(row.op).cases()) {
      SCOPED_TRACE(std::string(name(row.op)) + ": " + c.name);
      expect_agreement(runner, row.op, c, numbers);
      ASSERT_EQ(complaints(kind), std::vector<std::string>());
    }
  }
  EXPECT_TRUE(is_real() || launches(kind) > before);
}

std::vector<std::string> kinds() {
  std::vector<std::string> out;
  std::istringstream all(GPUSIM_KINDS);
  for (std::string kind; std::getline(all, kind, ',');) out.push_back(kind);
  return out;
}

/// The kernels of both kinds are of one source: each sort of numbers on one kind, unless GPUSIM_WHOLE is set.
std::vector<Where> wheres() {
  std::vector<Where> out;
  for (const std::string& kind : kinds())
    for (const Numbers& numbers : all_numbers) {
      const bool is_new = std::ranges::none_of(
          out, [&](const Where& where) { return std::string(std::get<1>(where).name) == numbers.name; });
      if (is_new || numbers.strict || std::getenv("GPUSIM_WHOLE") != nullptr) out.emplace_back(kind, numbers);
    }
  return out;
}

INSTANTIATE_TEST_SUITE_P(On, Checked, testing::ValuesIn(wheres()),
                         [](const auto& of) { return std::get<0>(of.param) + "_" + std::get<1>(of.param).name; });

}  // namespace
}  // namespace tenon::test
