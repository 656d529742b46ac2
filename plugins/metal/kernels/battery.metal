// Hard cases of the arithmetic that strict kernels stand on: result i of case i.
#include "binary64.h"

using namespace tenon_metal;

namespace tenon_metal {

inline real applied(uint operation, real a, real b, real c) {
  switch (operation) {
    case 0u:
      return a + b;
    case 1u:
      return a - b;
    case 2u:
      return a * b;
    case 3u:
      return divide_strictly(a, b);
    case 4u:
      return strict_sqrt(a);
    case 5u:
      return a * b + c;
    default:
      return narrow(wide(a) + wide(b));
  }
}

}  // namespace tenon_metal

kernel void battery_arithmetic(device const uint* operations [[buffer(0)]], device const uint* left [[buffer(1)]],
                               device const uint* right [[buffer(2)]], device const uint* third [[buffer(3)]],
                               device uint* result [[buffer(4)]], constant Battery& shape [[buffer(5)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count)
  result[i] = bits(applied(operations[i], real_of(left[i]), real_of(right[i]), real_of(third[i])));
}
