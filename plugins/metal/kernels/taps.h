// taps.h: which elements of an input a kernel meets as it moves over the spatial axes, of which there are four here;
// unused ones have the extent 1. Along an axis output o and element k of the window meet input
// o * stride + k * dilation - padding.
//
// Small values; any thread.
#pragma once
#include "language.h"

namespace tenon_metal {

inline int4 extents_of(constant int* x) { return int4(x[0], x[1], x[2], x[3]); }
inline int volume(int4 extents) { return extents.x * extents.y * extents.z * extents.w; }
/// The coordinates of element p of a grid, row-major.
inline int4 place(uint p, int4 extents) {
  const uint z = p / uint(extents.w), y = z / uint(extents.z), x = y / uint(extents.y);
  return int4(int(x), int(y - x * uint(extents.y)), int(z - y * uint(extents.z)), int(p - z * uint(extents.w)));
}
inline int number_of(int4 at, int4 extents) {
  return ((at.x * extents.y + at.y) * extents.z + at.z) * extents.w + at.w;
}

struct Taps {
  int4 inputs, window, outputs, stride, padding, dilation;

  /// The input that output o meets at position k of the window; -1 in the padding.
  int tap(int4 o, int4 k) const {
    const int4 at = o * stride + k * dilation - padding;
    return any(at < int4(0)) || any(at >= inputs) ? -1 : number_of(at, inputs);
  }
  /// The output that meets input i at position k of the window; -1 where there is none.
  int tap_back(int4 i, int4 k) const {
    const int4 at = i + padding - k * dilation;
    if (any(at < int4(0))) return -1;
    const int4 o = at / stride;
    return any(o * stride != at) || any(o >= outputs) ? -1 : number_of(o, outputs);
  }
};
template <class Shape>
inline Taps taps_of(constant Shape& shape) {
  Taps taps;
  taps.inputs = extents_of(shape.inputs);
  taps.window = extents_of(shape.window);
  taps.outputs = extents_of(shape.outputs);
  taps.stride = extents_of(shape.stride);
  taps.padding = extents_of(shape.padding);
  taps.dilation = extents_of(shape.dilation);
  return taps;
}

}  // namespace tenon_metal

// All positions of the window, row-major; backwards, an input meets its windows in their order.
#define TENON_FOR_EACH_TAP(k, taps)                  \
  for (int4 k = int4(0); k.x < taps.window.x; ++k.x) \
    for (k.y = 0; k.y < taps.window.y; ++k.y)        \
      for (k.z = 0; k.z < taps.window.z; ++k.z)      \
        for (k.w = 0; k.w < taps.window.w; ++k.w)
#define TENON_FOR_EACH_TAP_BACKWARDS(k, taps)                      \
  for (int4 k = int4(taps.window.x - 1, 0, 0, 0); k.x >= 0; --k.x) \
    for (k.y = taps.window.y - 1; k.y >= 0; --k.y)                 \
      for (k.z = taps.window.z - 1; k.z >= 0; --k.z)               \
        for (k.w = taps.window.w - 1; k.w >= 0; --k.w)
