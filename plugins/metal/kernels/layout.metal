// The same elements in another arrangement.
#include "exact.h"
#include "walk.h"

using namespace tenon_metal;

kernel void layout_rearrange(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                             constant Rearrange& shape [[buffer(2)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) result[i] = x[walk(i, shape.extents, shape.strides, 0u, shape.axes)];
}

kernel void layout_concat(device const uint* left [[buffer(0)]], device const uint* right [[buffer(1)]],
                          device uint* result [[buffer(2)]], constant Concat& shape [[buffer(3)]], TENON_THREAD) {
  const uint whole = shape.first + shape.second;
  TENON_FOR_EACH(i, shape.count) {
    const uint block = i / whole, at = i - block * whole;
    if (at < shape.first)
      result[i] = left[block * shape.first + at];
    else
      result[i] = right[block * shape.second + at - shape.first];
  }
}

kernel void layout_slice(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                         constant Slice& shape [[buffer(2)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) result[i] = x[i / shape.taken * shape.stride + shape.skipped + i % shape.taken];
}

kernel void layout_gather(device const uint* x [[buffer(0)]], device const uint* indices [[buffer(1)]],
                          device uint* result [[buffer(2)]], constant Indexed& shape [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint run = i / shape.inner, index = indices[run % shape.indices_count];
    if (index < shape.extent)
      result[i] = x[(run / shape.indices_count * shape.extent + index) * shape.inner + i % shape.inner];
  }
}

// A thread for all that may meet in one place, in the order of the indices.
kernel void layout_scatter_add(device const uint* values [[buffer(0)]], device const uint* indices [[buffer(1)]],
                               device uint* result [[buffer(2)]], constant Indexed& shape [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint block = i / shape.inner, at = i % shape.inner;
    for (uint n = 0u; n < shape.indices_count; ++n) {
      const uint index = indices[n];
      if (index >= shape.extent) continue;
      const uint place = (block * shape.extent + index) * shape.inner + at;
      const uint value = values[(block * shape.indices_count + n) * shape.inner + at];
      result[place] = bits(real_of(result[place]) + real_of(value));
    }
  }
}
