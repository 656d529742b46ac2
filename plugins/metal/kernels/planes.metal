// Planes of one channel each, the channels in turn.
#include "exact.h"

using namespace tenon_metal;

kernel void planes_batch_norm(device const uint* x [[buffer(0)]], device const uint* mean [[buffer(1)]],
                              device const uint* variance [[buffer(2)]], device const uint* weight [[buffer(3)]],
                              device const uint* bias [[buffer(4)]], device uint* result [[buffer(5)]],
                              constant Planes& shape [[buffer(6)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint channel = i / shape.plane % shape.channels;
    const real deviation = strict_sqrt(real_of(variance[channel]) + real_from(shape.epsilon));
    const real normal = divide_strictly(real_of(x[i]) - real_of(mean[channel]), deviation);
    result[i] = bits(normal * real_of(weight[channel]) + real_of(bias[channel]));
  }
}
