// Linear recurrences along the first axis, a thread for each element that knows nothing of the others.
#include "exact.h"

using namespace tenon_metal;

kernel void sequences_scan(device const uint* a [[buffer(0)]], device const uint* b [[buffer(1)]],
                           device const uint* x [[buffer(2)]], device const uint* h0 [[buffer(3)]],
                           device uint* result [[buffer(4)]], constant Scan& shape [[buffer(5)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    real h = real_of(h0[i]);
    for (uint t = 0u; t < shape.steps; ++t) {
      const uint at = t * shape.count + i;
      h = real_of(a[at]) * h + real_of(b[at]) * real_of(x[at]);
      result[at] = bits(h);
    }
  }
}

kernel void sequences_scan_grad(device const uint* a [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                                device uint* result [[buffer(2)]], constant Scan& shape [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    if (shape.steps == 0u) continue;
    uint at = (shape.steps - 1u) * shape.count + i;
    real g = real_of(upstream[at]);
    result[at] = bits(g);
    for (uint t = 1u; t < shape.steps; ++t) {
      const uint later = at;
      at -= shape.count;
      g = real_of(upstream[at]) + real_of(a[later]) * g;
      result[at] = bits(g);
    }
  }
}
