// walk.h: the offsets of an array's elements in the order of some of its axes. The host builds a Walk when a kernel is
// prepared, and passes it by value.
//
// Adjacent axes that one stride serves are merged, so that most walks are along a single axis. A value; any thread.
#pragma once
#include <cstdint>

#include "tenon/strict/base.h"

namespace tenon::gpu {

struct Walk {
  static constexpr unsigned max_axes = 8;

  std::uint64_t count = 1;  // elements
  std::uint32_t axes = 0, pad = 0;
  std::uint64_t extent[max_axes] = {};  // the last axis runs fastest
  std::int64_t stride[max_axes] = {};

  /// The offset of element i, counted in row-major order.
  TENON_DEVICE_FN std::int64_t offset(std::uint64_t i) const {
    if (axes == 0) return 0;
    std::int64_t sum = 0;
    for (unsigned axis = axes - 1; axis != 0; --axis) {
      std::uint64_t quotient, rest;
      if (i >> 32 == 0 && extent[axis] >> 32 == 0) {  // a division of 64 bits costs many times one of 32
        const auto dividend = static_cast<std::uint32_t>(i), divisor = static_cast<std::uint32_t>(extent[axis]);
        quotient = dividend / divisor;
        rest = dividend % divisor;
      } else {
        quotient = i / extent[axis];
        rest = i % extent[axis];
      }
      sum += static_cast<std::int64_t>(rest) * stride[axis];
      i = quotient;
    }
    return sum + static_cast<std::int64_t>(i) * stride[0];
  }
};

}  // namespace tenon::gpu
