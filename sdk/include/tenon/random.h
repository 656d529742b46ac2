// The counter-based generator and the random initialisers: element i is a function of a key and i alone, so any device
// may draw any elements in any order and gets the same bits.
//
// A key comes from a seed and a counter.  Sources that draw repeatedly (dropout) count upwards; initialisers use the
// counter 0.  Everything is computed in binary64 and rounded once to the type asked for.
//
// Ownership: nothing is held; there is no generator object.  Threads: every function is pure; any thread may call it.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "tenon/numerics.h"

namespace tenon::random {

constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15u;

// The mixing function of SplitMix64 (Steele, Lea, Flood 2014), modulo 2^64.
TENON_DEVICE_FN constexpr std::uint64_t splitmix64(std::uint64_t x) {
  std::uint64_t z = x + kGoldenGamma;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

TENON_DEVICE_FN constexpr std::uint64_t key(std::uint64_t seed, std::uint64_t counter) {
  return splitmix64(seed + counter);
}

// Draw i of a key: a multiple of 2^-32 in [0, 1), exact.
TENON_DEVICE_FN constexpr double unit(std::uint64_t key, std::uint64_t i) {
  return static_cast<double>(splitmix64(key + i) & 0xffffffffu) * 0x1p-32;
}

// Draw i of a seed's first key, the one that initialisers use.
TENON_DEVICE_FN constexpr double unit_at(std::uint64_t seed, std::uint64_t i) { return unit(key(seed, 0), i); }

// The seed of initialiser n of a module, which counts all its initialisers in order.
TENON_DEVICE_FN constexpr std::uint64_t next_seed(std::uint64_t seed, std::uint64_t n) {
  return splitmix64(seed + n + kGoldenGamma);
}

namespace detail {

// The largest T below `bound`.
template <std::floating_point T>
TENON_DEVICE_FN constexpr T largest_below(double bound) {
  const T rounded = static_cast<T>(bound);
  if (static_cast<double>(rounded) < bound) return rounded;
  if (rounded == 0) return -std::numeric_limits<T>::denorm_min();
  const auto pattern = strict::detail::bits(rounded);
  return strict::detail::from_bits(rounded < 0 ? pattern + 1 : pattern - 1);
}

}  // namespace detail

// Element i, uniform in [low, high): low + u (high - low), rounded once to T; what rounds to `high` becomes the largest
// T below it.  low == high gives low.
template <std::floating_point T>
TENON_DEVICE_FN constexpr T uniform(double low, double high, std::uint64_t key, std::uint64_t i) {
  const T value = static_cast<T>(low + unit(key, i) * (high - low));
  if (!(low < high) || static_cast<double>(value) < high) return value;
  return detail::largest_below<T>(high);
}

// Element i, normal: draws 2 i and 2 i + 1 through strict::box_muller, times std, plus mean, rounded once to T.
template <std::floating_point T>
TENON_DEVICE_FN T normal(double mean, double std, std::uint64_t key, std::uint64_t i) {
  return static_cast<T>(mean + std * strict::box_muller(unit(key, 2 * i), unit(key, 2 * i + 1)));
}

// Element i of a mask: 1 where the draw is below the keep probability, else 0.
template <class T>
TENON_DEVICE_FN constexpr T bernoulli(double keep, std::uint64_t key, std::uint64_t i) {
  return static_cast<T>(unit(key, i) < keep ? 1 : 0);
}

// The limits of uniform(-limit, limit) by Glorot and Bengio (2010) and He et al. (2015); 0 where there is no fan.
TENON_DEVICE_FN double xavier_limit(std::uint64_t fan_in, std::uint64_t fan_out) {
  const double fans = static_cast<double>(fan_in) + static_cast<double>(fan_out);
  return fans == 0 ? 0 : std::sqrt(6 / fans);
}
TENON_DEVICE_FN double kaiming_limit(std::uint64_t fan_in) {
  return fan_in == 0 ? 0 : std::sqrt(6 / static_cast<double>(fan_in));
}

}  // namespace tenon::random
