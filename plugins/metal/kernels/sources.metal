// Tensors from nothing. A draw is a function of its key and the element's index alone.
#include "exact.h"

using namespace tenon_metal;

namespace tenon_metal {

inline ulong splitmix64(ulong x) {
  ulong z = x + 0x9E3779B97F4A7C15ul;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ul;
  z = (z ^ z >> 27) * 0x94D049BB133111EBul;
  return z ^ z >> 31;
}
/// unit(key, i) 2^32.
inline uint draw(constant Draw& shape, uint i) {
  return uint(splitmix64((ulong(shape.key_high) << 32 | shape.key_low) + i));
}

}  // namespace tenon_metal

kernel void sources_fill(device uint* result [[buffer(0)]], constant Fill& shape [[buffer(1)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) result[i] = bits_of(shape.value);
}

// What rounds to 1 becomes the number below it.
kernel void sources_rand_uniform(device uint* result [[buffer(0)]], constant Draw& shape [[buffer(1)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint u = draw(shape, i);
    result[i] = u == 0u ? 0u : min(pack32(0u, ulong(u), -32), 0x3f7fffffu);
  }
}

kernel void sources_bernoulli_mask(device uint* result [[buffer(0)]], constant Draw& shape [[buffer(1)]],
                                   TENON_THREAD) {
  const ulong threshold = ulong(shape.threshold_high) << 32 | shape.threshold_low;
  TENON_FOR_EACH(i, shape.count) result[i] = ulong(draw(shape, i)) < threshold ? 0x3f800000u : 0u;
}
