// walk.h: the offsets of an array's elements in the order of some of its axes: axes first ... last - 1 of a struct's
// extents and strides.
//
// Pure functions; any thread.
#pragma once
#include "language.h"

namespace tenon_metal {

inline uint walk(uint i, constant uint* extents, constant uint* strides, uint first, uint last) {
  uint sum = 0u;
  for (uint axis = last; axis-- > first;) {
    const uint next = axis == first ? 0u : i / extents[axis];
    sum += (i - next * extents[axis]) * strides[axis];
    i = next;
  }
  return sum;
}

}  // namespace tenon_metal
