// The products of `native` that may fuse: within docs/cpu.md's tolerance of the strict ones.
#include "variant.h"

namespace tenon::testing {
namespace {

class NativeFast : public VariantTest {
 protected:
  template <class T>
  std::vector<T> product(const std::string& provider, const Extents& a, const std::vector<T>& left, const Extents& b,
                         const std::vector<T>& right) {
    const std::string capsule = "matmul" + suffix<T>();
    Call call(find_capsule(provider + "." + capsule), capsule);
    call.on(device()).operand<T>(a, left).template operand<T>(b, right).template output<T>({a[0], b[1]});
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }

  template <class T>
  void expect_within_tolerance(std::int64_t m, std::int64_t k, std::int64_t n) {
    const auto left = numbers<T>(static_cast<std::uint64_t>(m * k)),
               right = numbers<T>(static_cast<std::uint64_t>(k * n));
    const auto found = product<T>("cpu.native.fast", {m, k}, left, {k, n}, right);
    const auto expected = product<T>("cpu.reference", {m, k}, left, {k, n}, right);
    const auto sizes = product<T>("cpu.reference", {m, k}, magnitudes(left), {k, n}, magnitudes(right));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const T tolerance = static_cast<T>(k) * std::numeric_limits<T>::epsilon() * sizes[i];
      ASSERT_LE(std::abs(found[i] - expected[i]), tolerance) << "element " << i << " of depth " << k;
    }
  }

 private:
  template <class T>
  static std::vector<T> magnitudes(std::vector<T> values) {
    for (T& x : values) x = std::abs(x);
    return values;
  }
};
TENON_EVERY_VARIANT(NativeFast);

TEST_P(NativeFast, ProductsAreWithinTheTolerance) {
  for (const std::int64_t k : {1, 2, 100, 700}) {
    expect_within_tolerance<float>(13, k, 45);
    expect_within_tolerance<double>(13, k, 45);
  }
}

TEST_P(NativeFast, ProductsAreFusedWhereTheInstructionSetCan) {
  const float near_one = 1 + 0x1p-12f, square = near_one * near_one;  // the exact square is 2^-24 more
  const float found = product<float>("cpu.native.fast", {1, 2}, {-1, near_one}, {2, 1}, {square, near_one}).at(0);
  EXPECT_EQ(found, GetParam() == cpu::native::Isa::baseline ? 0.0f : 0x1p-24f);
}

TEST(NativeFastCapsules, NeverCallThemselvesStrict) {
  for (const tenon_capsule* capsule : plugin::linked_capsules()) {
    if (!std::string_view(capsule->name).starts_with("cpu.native.fast.")) continue;
    EXPECT_EQ(capsule->numerics->flags & TENON_NUMERICS_STRICT, 0u) << capsule->name;
    EXPECT_NE(capsule->numerics->flags & TENON_NUMERICS_DETERMINISTIC, 0u) << capsule->name;
  }
}

}  // namespace
}  // namespace tenon::testing
