// Hard cases of the arithmetic that strict kernels stand on: result i of case i.
// entry arithmetic
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push { uint count; };
READS_NUMBERS(0, operations);
READS(1, left);
READS(2, right);
READS(3, third);
WRITES(4, result);

real apply(uint operation, real a, real b, real c) {
  switch (operation) {
    case 0u: return a + b;
    case 1u: return a - b;
    case 2u: return a * b;
    case 3u: return divide_strictly(a, b);
    case 4u: return strict_sqrt(a);
    case 5u: return a * b + c;
    default: return real(float(double(a) + double(b)));
  }
}

void main() { FOR_EACH(i, count) result[i] = apply(operations[i], left[i], right[i], third[i]); }
