// The same elements in another arrangement.
// entry rearrange ENTRY_REARRANGE
// entry concat ENTRY_CONCAT
// entry slice ENTRY_SLICE
// entry gather ENTRY_GATHER
// entry scatter_add ENTRY_SCATTER_ADD
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

#if defined(ENTRY_REARRANGE)
layout(push_constant) uniform Push {
  uint extents[8], strides[8];
  uint axes, count;
};
#include "walk.glsl"
READS(0, x);
WRITES(1, result);
void main() { FOR_EACH(i, count) result[i] = x[walk(i, 0u, axes)]; }

#elif defined(ENTRY_CONCAT)
layout(push_constant) uniform Push { uint count, first, second; };  // elements of a block's two parts
READS(0, left);
READS(1, right);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    const uint block = i / (first + second), at = i % (first + second);
    if (at < first)
      result[i] = left[block * first + at];
    else
      result[i] = right[block * second + at - first];
  }
}

#elif defined(ENTRY_SLICE)
layout(push_constant) uniform Push { uint count, taken, stride, skipped; };
READS(0, x);
WRITES(1, result);
void main() { FOR_EACH(i, count) result[i] = x[i / taken * stride + skipped + i % taken]; }

#elif defined(ENTRY_GATHER)
layout(push_constant) uniform Push { uint count, indices_count, extent, inner; };
READS(0, x);
READS_NUMBERS(1, indices);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    const uint run = i / inner, index = indices[run % indices_count];
    if (index < extent) result[i] = x[(run / indices_count * extent + index) * inner + i % inner];
  }
}

#else  // ENTRY_SCATTER_ADD: one invocation for all that may meet in one place, in the order of the indices
layout(push_constant) uniform Push { uint count, indices_count, extent, inner; };  // count = outer * inner
READS(0, values);
READS_NUMBERS(1, indices);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    const uint block = i / inner, at = i % inner;
    for (uint n = 0u; n < opaque(indices_count); ++n) {
      const uint index = indices[n];
      if (index >= extent) continue;
      const uint place = (block * extent + index) * inner + at;
      result[place] = result[place] + values[(block * indices_count + n) * inner + at];
    }
  }
}
#endif
