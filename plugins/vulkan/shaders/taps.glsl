// Which elements of an input a kernel meets as it moves over the spatial axes, of which there are four here; unused ones
// have the extent 1. Along an axis output o and kernel element k meet input o * stride + k * dilation - padding.
// `inputs`, `kernel`, `outputs`, `stride`, `padding` and `dilation` are push constants.
int volume(ivec4 extents) { return extents.x * extents.y * extents.z * extents.w; }

// The coordinates of element p of a grid, row-major.
ivec4 place(uint p, ivec4 extents) {
  ivec4 at;
  at.w = int(p % uint(extents.w));
  p /= uint(extents.w);
  at.z = int(p % uint(extents.z));
  p /= uint(extents.z);
  at.y = int(p % uint(extents.y));
  at.x = int(p / uint(extents.y));
  return at;
}
int number(ivec4 at, ivec4 extents) { return ((at.x * extents.y + at.y) * extents.z + at.z) * extents.w + at.w; }

// The input that output o meets at kernel position k; -1 in the padding.
int tap(ivec4 o, ivec4 k) {
  const ivec4 at = o * stride + k * dilation - padding;
  if (any(lessThan(at, ivec4(0))) || any(greaterThanEqual(at, inputs))) return -1;
  return number(at, inputs);
}
// The output that meets input i at kernel position k; -1 where there is none.
int tap_back(ivec4 i, ivec4 k) {
  const ivec4 at = i + padding - k * dilation;
  if (any(lessThan(at, ivec4(0)))) return -1;
  const ivec4 o = at / stride;
  if (any(notEqual(o * stride, at)) || any(greaterThanEqual(o, outputs))) return -1;
  return number(o, outputs);
}

int opaque(int x) { return x + int(gl_WorkGroupID.z); }

// All kernel positions, row-major; backwards, an input meets its windows in their order.
#define FOR_EACH_TAP(k)                                      \
  for (ivec4 k = ivec4(0); k.x < opaque(kernel.x); ++k.x)    \
    for (k.y = 0; k.y < opaque(kernel.y); ++k.y)             \
      for (k.z = 0; k.z < opaque(kernel.z); ++k.z)           \
        for (k.w = 0; k.w < opaque(kernel.w); ++k.w)
#define FOR_EACH_TAP_BACKWARDS(k)                                    \
  for (ivec4 k = ivec4(opaque(kernel.x) - 1, 0, 0, 0); k.x >= 0; --k.x) \
    for (k.y = opaque(kernel.y) - 1; k.y >= 0; --k.y)                \
      for (k.z = opaque(kernel.z) - 1; k.z >= 0; --k.z)              \
        for (k.w = opaque(kernel.w) - 1; k.w >= 0; --k.w)
