// float_init.h: how a parameter gets its first value: a closed set of schemes. Plain values.
//
// Draws follow 3-semantics, section 3: element i of every device, backend and thread count is the same bits.
#pragma once
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "tenon/result.h"
#include "tenon/source_init.h"

namespace tenon {

namespace init {
struct Zeros {
  friend bool operator==(const Zeros&, const Zeros&) = default;
};
struct Ones {
  friend bool operator==(const Ones&, const Ones&) = default;
};
/// [low, high)
struct Uniform {
  double low = 0, high = 1;
  std::uint64_t seed = 0;
  friend bool operator==(const Uniform&, const Uniform&) = default;
};
struct Normal {
  double mean = 0, std = 1;
  std::uint64_t seed = 0;
  friend bool operator==(const Normal&, const Normal&) = default;
};
/// Glorot and Bengio 2010: uniform within sqrt(6 / (fan_in + fan_out)).
struct XavierUniform {
  std::uint64_t fan_in = 0, fan_out = 0, seed = 0;
  friend bool operator==(const XavierUniform&, const XavierUniform&) = default;
};
/// He et al. 2015: uniform within sqrt(6 / fan_in).
struct KaimingUniform {
  std::uint64_t fan_in = 0, seed = 0;
  friend bool operator==(const KaimingUniform&, const KaimingUniform&) = default;
};
/// These very values, row-major; NaN and infinity are legal.
struct Flat {
  std::vector<double> values;
  friend bool operator==(const Flat&, const Flat&) = default;
};
}  // namespace init

using FloatInit = std::variant<init::Zeros, init::Ones, init::Uniform, init::Normal, init::XavierUniform,
                               init::KaimingUniform, init::Flat>;

/// Refuses what could not give `elements` finite, well-defined values, in words.
TENON_API result<void> validate(const FloatInit& scheme, Extent elements);

/// The value of element `index`, in binary64. A fan sum of zero gives 0.
TENON_API double sample_at(const FloatInit& scheme, std::uint64_t index);

struct Fans {
  std::uint64_t in, out;
};
/// [out, in, k...] has fans (in * k..., out * k...); lower ranks have none.
TENON_API result<Fans> fan_in_out(const Shape& shape);

TENON_API result<FloatInit> xavier_uniform_for_shape(const Shape& shape, std::uint64_t seed = 0);
TENON_API result<FloatInit> kaiming_uniform_for_shape(const Shape& shape, std::uint64_t seed = 0);

/// The source operation that makes these values on a device; Flat has none: it is uploaded.
TENON_API result<SourceInit> as_source(const FloatInit& scheme, const Shape& shape);

}  // namespace tenon
