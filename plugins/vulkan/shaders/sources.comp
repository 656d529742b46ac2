// Tensors from nothing. A draw is a function of its key and the element's index alone.
// entry fill ENTRY_FILL
// entry rand_uniform ENTRY_UNIFORM
// entry bernoulli_mask ENTRY_BERNOULLI
// entry init_uniform ENTRY_UNIFORM
// entry init_normal ENTRY_NORMAL
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"
#include "strict.glsl"

layout(push_constant) uniform Push {
  uint64_t key;
  double a, b;  // fill: the value; uniform: low and high; bernoulli: what is kept; normal: mean and deviation
  uint count;
};
WRITES(0, result);

uint64_t splitmix64(uint64_t x) {
  uint64_t z = x + 0x9E3779B97F4A7C15ul;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ul;
  z = (z ^ z >> 27) * 0x94D049BB133111EBul;
  return z ^ z >> 31;
}
double unit(uint64_t i) { return double(uint(splitmix64(key + i))) * 2.3283064365386963e-10LF; }

// The largest number below `bound`.
#if REAL_BITS == 32
float largest_below(double bound) {
  const float rounded = float(bound);
  if (double(rounded) < bound) return rounded;
  const uint pattern = floatBitsToUint(rounded);
  if (rounded == 0) return uintBitsToFloat(0x80000001u);
  return uintBitsToFloat(rounded < 0 ? pattern + 1u : pattern - 1u);
}
#else
double largest_below(double bound) {
  const uint64_t pattern = bits(bound);
  if (opaque(bound) == 0) return from_bits(0x8000000000000001ul);
  return from_bits(opaque(bound) < 0 ? pattern + 1ul : pattern - 1ul);
}
#endif

real element(uint64_t i) {
#if defined(ENTRY_FILL)
  return real(a);
#elif defined(ENTRY_UNIFORM)
  const real value = real(a + unit(i) * (b - a));
  if (!(opaque(a) < b) || double(value) < b) return value;
  return largest_below(b);
#elif defined(ENTRY_BERNOULLI)
  return unit(i) < a ? real(1) : real(0);
#else
  return real(a + b * box_muller(unit(2ul * i), unit(2ul * i + 1ul)));
#endif
}

void main() { FOR_EACH(i, count) result[i] = element(uint64_t(i)); }
