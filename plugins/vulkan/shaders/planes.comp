// Planes of one channel each, the channels in turn.
// entry batch_norm
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push {
  uint count, channels, plane;
  real epsilon;
};
READS(0, x);
READS(1, mean);
READS(2, variance);
READS(3, weight);
READS(4, bias);
WRITES(5, result);

void main() {
  FOR_EACH(i, count) {
    const uint channel = i / plane % channels;
    const real deviation = strict_sqrt(variance[channel] + epsilon);
    result[i] = divide_strictly(x[i] - mean[channel], deviation) * weight[channel] + bias[channel];
  }
}
