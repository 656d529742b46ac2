// Linear recurrences along the first axis, one invocation for each element that knows nothing of the others.
// entry scan ENTRY_SCAN
// entry scan_grad ENTRY_SCAN_GRAD
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push { uint count, steps; };  // elements of a step

#if defined(ENTRY_SCAN)
READS(0, a);
READS(1, b);
READS(2, x);
READS(3, h0);
WRITES(4, result);
void main() {
  FOR_EACH(i, count) {
    real h = h0[i];
    for (uint t = 0u; t < opaque(steps); ++t) {
      const uint at = t * count + i;
      h = a[at] * h + b[at] * x[at];
      result[at] = h;
    }
  }
}
#else
READS(0, a);
READS(1, upstream);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    uint at = (steps - 1u) * count + i;
    real g = upstream[at];
    result[at] = g;
    for (uint t = 1u; t < opaque(steps); ++t) {
      const uint later = at;
      at -= count;
      g = upstream[at] + a[later] * g;
      result[at] = g;
    }
  }
}
#endif
