// variant.h: tests that run once for each instruction set of the provider `native`, and the values that tell kernels
// apart: NaN, infinities, zeros of both signs, subnormals. One thread.
#pragma once
#include <random>

#include "../../../plugins/cpu/device.h"
#include "harness.h"

namespace tenon::cpu::native {
inline void PrintTo(Isa isa, std::ostream* out) { *out << name(isa); }
}  // namespace tenon::cpu::native

namespace tenon::testing {

class VariantTest : public PluginTest, public ::testing::WithParamInterface<cpu::native::Isa> {
 protected:
  void SetUp() override {
    const std::string lack = missing(GetParam(), cpu::native::Processor::here());
    if (!lack.empty()) GTEST_SKIP() << name(GetParam()) << ": " << lack;
  }

  Call native(const std::string& capsule) { return Call(find_capsule("cpu.native." + capsule), capsule); }
  tenon_device* device() { return plugin::to_handle<tenon_device>(&device_); }

  /// A number in three is one of those that are treated in their own way; the others are products of few, so that some
  /// are equal.
  template <class T>
  std::vector<T> values(std::uint64_t count) {
    using Limits = std::numeric_limits<T>;
    const T special[] = {nan<T>,        infinity<T>,          -infinity<T>,   T(0),
                         T(-0.0),       Limits::denorm_min(), -Limits::min(), Limits::min() / 3,
                         Limits::max(), Limits::epsilon()};
    std::vector<T> out(count);
    for (T& x : out) {
      const auto draw = random_();
      x = draw % 3 == 0 ? special[draw / 3 % std::size(special)] : number<T>();
    }
    return out;
  }
  /// Between -2 and 2, many different.
  template <class T>
  std::vector<T> numbers(std::uint64_t count) {
    std::vector<T> out(count);
    for (T& x : out) x = std::uniform_real_distribution<T>(-2, 2)(random_);
    return out;
  }

 private:
  template <class T>
  T number() {
    return static_cast<T>(static_cast<int>(random_() % 41) - 20) / T(8);
  }
  cpu::Device device_{GetParam()};
  std::mt19937 random_{7};
};

inline std::string variant_name(const ::testing::TestParamInfo<cpu::native::Isa>& info) {
  return std::string(name(info.param));
}

#define TENON_EVERY_VARIANT(Suite) \
  INSTANTIATE_TEST_SUITE_P(EveryVariant, Suite, ::testing::ValuesIn(cpu::native::isas), variant_name)

}  // namespace tenon::testing
