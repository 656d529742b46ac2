// Pooling: each window of a plane becomes one element. A thread for each element of the result.
#include "strict_functions.h"
#include "taps.h"

using namespace tenon_metal;

kernel void pooling_max(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                        constant Pooling& shape [[buffer(2)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  TENON_FOR_EACH(i, shape.count) {
    device const uint* from = x + ulong(i / volume_out) * volume_in;
    const int4 o = place(i % volume_out, taps.outputs);
    real most = real_of(kSign32 | kInfinity32);
    TENON_FOR_EACH_TAP(k, taps) {
      const int at = taps.tap(o, k);
      if (at >= 0) most = strict_maximum(most, real_of(from[at]));
    }
    result[i] = bits(most);
  }
}

// The first greatest element of each window, the first NaN being the greatest; or none.
kernel void pooling_winners(device const uint* x [[buffer(0)]], device uint* winners [[buffer(1)]],
                            constant Pooling& shape [[buffer(2)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  TENON_FOR_EACH(i, shape.count) {
    device const uint* from = x + ulong(i / volume_out) * volume_in;
    const int4 o = place(i % volume_out, taps.outputs);
    uint winner = 0xffffffffu;
    real best = real_of(0u);
    TENON_FOR_EACH_TAP(k, taps) {
      const int at = taps.tap(o, k);
      if (at < 0) continue;
      const real candidate = real_of(from[at]);
      if (winner == 0xffffffffu || candidate > best || (is_nan(candidate) && !is_nan(best))) {
        winner = uint(at);
        best = candidate;
      }
    }
    winners[i] = winner;
  }
}

kernel void pooling_max_grad(device const uint* winners [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                             device uint* result [[buffer(2)]], constant Pooling& shape [[buffer(3)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  TENON_FOR_EACH(i, shape.count) {
    const ulong plane = ulong(i / volume_in) * volume_out;
    const uint own = i % volume_in;
    const int4 at = place(own, taps.inputs);
    real sum = real_of(0u);
    TENON_FOR_EACH_TAP_BACKWARDS(k, taps) {
      const int o = taps.tap_back(at, k);
      if (o >= 0 && winners[plane + uint(o)] == own) sum = sum + real_of(upstream[plane + uint(o)]);
    }
    result[i] = bits(sum);
  }
}

kernel void pooling_avg(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                        constant Pooling& shape [[buffer(2)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  TENON_FOR_EACH(i, shape.count) {
    device const uint* from = x + ulong(i / volume_out) * volume_in;
    const int4 o = place(i % volume_out, taps.outputs);
    real sum = real_of(0u);
    TENON_FOR_EACH_TAP(k, taps) {
      const int at = taps.tap(o, k);
      if (at >= 0) sum = sum + real_of(from[at]);
    }
    result[i] = bits(divide_strictly(sum, real_from(shape.parameter)));
  }
}

kernel void pooling_avg_grad(device const uint* upstream [[buffer(0)]], device uint* result [[buffer(1)]],
                             constant Pooling& shape [[buffer(2)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  TENON_FOR_EACH(i, shape.count) {
    device const uint* from = upstream + ulong(i / volume_in) * volume_out;
    const int4 at = place(i % volume_in, taps.inputs);
    real sum = real_of(0u);
    TENON_FOR_EACH_TAP_BACKWARDS(k, taps) {
      const int o = taps.tap_back(at, k);
      if (o >= 0) sum = sum + divide_strictly(real_of(from[o]), real_from(shape.parameter));
    }
    result[i] = bits(sum);
  }
}

namespace tenon_metal {

/// The greatest of a window, or the least where beta < 0, and the sum of exp(beta (x - that)). A tap in the padding is
/// a 0 like any other.
struct Smooth {
  real peak, sum;
};
inline Smooth smooth_of(device const uint* x, constant Pooling& shape, const Taps taps, uint window) {
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  device const uint* from = x + ulong(window / volume_out) * volume_in;
  const int4 o = place(window % volume_out, taps.outputs);
  const real beta = real_from(shape.parameter);
  const bool up = beta > real_of(0u);
  Smooth smooth;
  smooth.peak = real_of(up ? kSign32 | kInfinity32 : kInfinity32);
  TENON_FOR_EACH_TAP(k, taps) {
    const int at = taps.tap(o, k);
    const real value = real_of(at >= 0 ? from[at] : 0u);
    smooth.peak = up ? strict_maximum(smooth.peak, value) : strict_minimum(smooth.peak, value);
  }
  smooth.sum = real_of(0u);
  TENON_FOR_EACH_TAP(k, taps) {
    const int at = taps.tap(o, k);
    const real value = real_of(at >= 0 ? from[at] : 0u);
    smooth.sum = smooth.sum + strict_exp(beta * (value - smooth.peak));
  }
  return smooth;
}

}  // namespace tenon_metal

kernel void pooling_smooth(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                           constant Pooling& shape [[buffer(2)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  TENON_FOR_EACH(i, shape.count) {
    const Smooth smooth = smooth_of(x, shape, taps, i);
    result[i] = bits(smooth.peak + divide_strictly(strict_log(smooth.sum), real_from(shape.parameter)));
  }
}

kernel void pooling_peaks(device const uint* x [[buffer(0)]], device uint* peaks [[buffer(1)]],
                          device uint* sums [[buffer(2)]], constant Pooling& shape [[buffer(3)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  TENON_FOR_EACH(i, shape.count) {
    const Smooth smooth = smooth_of(x, shape, taps, i);
    peaks[i] = bits(smooth.peak);
    sums[i] = bits(smooth.sum);
  }
}

kernel void pooling_smooth_grad(device const uint* x [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                                device const uint* peaks [[buffer(2)]], device const uint* sums [[buffer(3)]],
                                device uint* result [[buffer(4)]], constant Pooling& shape [[buffer(5)]],
                                TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  const real beta = real_from(shape.parameter);
  TENON_FOR_EACH(i, shape.count) {
    const ulong plane = ulong(i / volume_in) * volume_out;
    const int4 at = place(i % volume_in, taps.inputs);
    real sum = real_of(0u);
    TENON_FOR_EACH_TAP_BACKWARDS(k, taps) {
      const int o = taps.tap_back(at, k);
      if (o < 0) continue;
      const ulong window = plane + uint(o);
      const real e = strict_exp(beta * (real_of(x[i]) - real_of(peaks[window])));
      sum = sum + real_of(upstream[window]) * divide_strictly(e, real_of(sums[window]));
    }
    result[i] = bits(sum);
  }
}
