// The arithmetic of strict kernels by itself: result i of operands i.
#include "binary64.h"

using namespace tenon_metal;

struct Cases {
  uint count, operation;
};

kernel void wide_arithmetic(device const ulong* left [[buffer(0)]], device const ulong* right [[buffer(1)]],
                            device ulong* result [[buffer(2)]], constant Cases& cases [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, cases.count) {
    const binary64 a = from_bits(left[i]), b = from_bits(right[i]);
    binary64 value = from_bits(0ul);
    if (cases.operation == 0u) value = a + b;
    if (cases.operation == 1u) value = a - b;
    if (cases.operation == 2u) value = a * b;
    if (cases.operation == 3u) value = a / b;
    if (cases.operation == 4u) value = from_bits((a < b ? 1ul : 0ul) | (a <= b ? 2ul : 0ul) | (a == b ? 4ul : 0ul));
    if (cases.operation == 5u) value = number(left[i]);
    if (cases.operation == 6u) value = number(long(left[i]));
    if (cases.operation == 7u) value = from_bits(ulong(bits(narrow(a))));
    if (cases.operation == 8u) value = wide(real_of(uint(left[i])));
    result[i] = bits(value);
  }
}

kernel void narrow_arithmetic(device const uint* left [[buffer(0)]], device const uint* right [[buffer(1)]],
                              device uint* result [[buffer(2)]], constant Cases& cases [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, cases.count) {
    const real a = real_of(left[i]), b = real_of(right[i]);
    real value = real_of(0u);
    if (cases.operation == 0u) value = a + b;
    if (cases.operation == 1u) value = a - b;
    if (cases.operation == 2u) value = a * b;
    if (cases.operation == 3u) value = divide_strictly(a, b);
    if (cases.operation == 4u) value = strict_sqrt(a);
    if (cases.operation == 5u) value = strict_maximum(a, b);
    if (cases.operation == 6u) value = strict_minimum(a, b);
    if (cases.operation == 7u) {
      value = real_of((a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == b ? 4u : 0u) | (a > b ? 8u : 0u) |
                      (a >= b ? 16u : 0u) | (a != b ? 32u : 0u));
    }
    result[i] = bits(value);
  }
}

kernel void native_products(device const uint* left [[buffer(0)]], device const uint* right [[buffer(1)]],
                            device uint* result [[buffer(2)]], constant Cases& cases [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, cases.count) result[i] = bits_of(float_of(left[i]) * float_of(right[i]));
}
