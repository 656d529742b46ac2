// walk.h: the offsets of an array's elements in the order of some of its axes. The host builds a Walk when a kernel is
// prepared, and passes it by value.
//
// Adjacent axes that one stride serves are merged, so that most walks are along a single axis. A value; any thread.
#pragma once
#include <cstdint>

#include "divide.h"

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
      const Division at = divide(i, extent[axis]);
      sum += static_cast<std::int64_t>(at.rest) * stride[axis];
      i = at.quotient;
    }
    return sum + static_cast<std::int64_t>(i) * stride[0];
  }
};

}  // namespace tenon::gpu
