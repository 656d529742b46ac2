// init_builders.h: initialisers as one writes them: `init::zeros()`, `init::normal(0, 0.02, seed)`. Plain values.
//
// xavier_uniform and kaiming_uniform take their fans from the shape of the parameter that they are planned for
// (plan.h); FloatInit's own structs have explicit ones.
#pragma once
#include "tenon/float_init.h"

namespace tenon {

namespace init {

/// XavierUniform, KaimingUniform without fans yet.
struct XavierByShape {
  std::uint64_t seed = 0;
};
struct KaimingByShape {
  std::uint64_t seed = 0;
};

template <class I>
inline constexpr bool is_by_shape = std::is_same_v<I, XavierByShape> || std::is_same_v<I, KaimingByShape>;

constexpr Zeros zeros() { return {}; }
constexpr Ones ones() { return {}; }
/// [low, high)
constexpr Uniform uniform(double low, double high, std::uint64_t seed = 0) { return {low, high, seed}; }
constexpr Normal normal(double mean, double std, std::uint64_t seed = 0) { return {mean, std, seed}; }
constexpr XavierByShape xavier_uniform(std::uint64_t seed = 0) { return {seed}; }
constexpr KaimingByShape kaiming_uniform(std::uint64_t seed = 0) { return {seed}; }
/// Row-major.
inline Flat flat(std::vector<double> values) { return {std::move(values)}; }

inline result<FloatInit> for_shape(XavierByShape x, const Shape& shape) {
  return xavier_uniform_for_shape(shape, x.seed);
}
inline result<FloatInit> for_shape(KaimingByShape k, const Shape& shape) {
  return kaiming_uniform_for_shape(shape, k.seed);
}
inline result<FloatInit> for_shape(FloatInit scheme, const Shape&) { return scheme; }

}  // namespace init

/// What a layer asks for where no plan is given.
enum class Scheme : std::uint8_t { zeros, ones, kaiming_uniform, xavier_uniform, normal };

/// Zeros and ones take no seed; normal is the standard one; the others have no fans, and refuse, below rank 2.
TENON_API result<FloatInit> of_scheme(Scheme scheme, const Shape& shape, std::uint64_t seed);

}  // namespace tenon
