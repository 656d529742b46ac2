// Pooling: each window of a plane becomes one element. One invocation for each element of the result.
// entry max ENTRY_MAX
// entry winners ENTRY_WINNERS
// entry max_grad ENTRY_MAX_GRAD
// entry avg ENTRY_AVG
// entry avg_grad ENTRY_AVG_GRAD
// entry smooth ENTRY_SMOOTH
// entry peaks ENTRY_SMOOTH PEAKS
// entry smooth_grad ENTRY_SMOOTH_GRAD
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"
#include "strict.glsl"

layout(push_constant) uniform Push {
  ivec4 inputs, kernel, outputs, stride, padding, dilation;
  uint count;
  real parameter;  // elements of the kernel, or beta
};
#include "taps.glsl"

#if defined(ENTRY_MAX)
READS(0, x);
WRITES(1, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  FOR_EACH(i, count) {
    const uint from = i / volume_out * volume_in;
    const ivec4 o = place(i % volume_out, outputs);
    real greatest = -real(kInfinity);
    FOR_EACH_TAP(k) {
      const int at = tap(o, k);
      if (at >= 0) greatest = strict_maximum(greatest, x[from + uint(at)]);
    }
    result[i] = greatest;
  }
}

#elif defined(ENTRY_WINNERS)  // the first greatest element of each window, the first NaN being the greatest; or none
READS(0, x);
layout(std430, set = 0, binding = 1) buffer Buffer1 { uint winners[]; };
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  FOR_EACH(i, count) {
    const uint from = i / volume_out * volume_in;
    const ivec4 o = place(i % volume_out, outputs);
    uint winner = 0xffffffffu;
    real best = real(0);
    FOR_EACH_TAP(k) {
      const int at = tap(o, k);
      if (at >= 0) {
        const real candidate = x[from + uint(at)];
        if (winner == 0xffffffffu || candidate > best || (is_nan(candidate) && !is_nan(best))) {
          winner = uint(at);
          best = candidate;
        }
      }
    }
    winners[i] = winner;
  }
}

#elif defined(ENTRY_MAX_GRAD)
READS_NUMBERS(0, winners);
READS(1, upstream);
WRITES(2, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  FOR_EACH(i, count) {
    const uint plane = i / volume_in * volume_out, own = i % volume_in;
    const ivec4 at = place(own, inputs);
    real sum = real(0);
    FOR_EACH_TAP_BACKWARDS(k) {
      const int o = tap_back(at, k);
      if (o >= 0 && winners[plane + uint(o)] == own) sum = sum + upstream[plane + uint(o)];
    }
    result[i] = sum;
  }
}

#elif defined(ENTRY_AVG)
READS(0, x);
WRITES(1, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  FOR_EACH(i, count) {
    const uint from = i / volume_out * volume_in;
    const ivec4 o = place(i % volume_out, outputs);
    real sum = real(0);
    FOR_EACH_TAP(k) {
      const int at = tap(o, k);
      if (at >= 0) sum = sum + x[from + uint(at)];
    }
    result[i] = divide_strictly(sum, parameter);
  }
}

#elif defined(ENTRY_AVG_GRAD)
READS(0, upstream);
WRITES(1, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  FOR_EACH(i, count) {
    const uint plane = i / volume_in * volume_out;
    const ivec4 at = place(i % volume_in, inputs);
    real sum = real(0);
    FOR_EACH_TAP_BACKWARDS(k) {
      const int o = tap_back(at, k);
      if (o >= 0) sum = sum + divide_strictly(upstream[plane + uint(o)], parameter);
    }
    result[i] = sum;
  }
}

#elif defined(ENTRY_SMOOTH)  // a tap in the padding is a 0 like any other
READS(0, x);
WRITES(1, result);
#if defined(PEAKS)
WRITES(2, sums);
#endif
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  const bool up = opaque(parameter) > real(0);
  FOR_EACH(i, count) {
    const uint from = i / volume_out * volume_in;
    const ivec4 o = place(i % volume_out, outputs);
    real peak = up ? -real(kInfinity) : real(kInfinity);
    FOR_EACH_TAP(k) {
      const int at = tap(o, k);
      const real value = at >= 0 ? x[from + uint(at)] : real(0);
      peak = up ? strict_maximum(peak, value) : strict_minimum(peak, value);
    }
    real sum = real(0);
    FOR_EACH_TAP(k) {
      const int at = tap(o, k);
      const real value = at >= 0 ? x[from + uint(at)] : real(0);
      sum = sum + strict_exp(parameter * (value - peak));
    }
#if defined(PEAKS)
    result[i] = peak;
    sums[i] = sum;
#else
    result[i] = peak + divide_strictly(strict_log(sum), parameter);
#endif
  }
}

#else
READS(0, x);
READS(1, upstream);
READS(2, peaks);
READS(3, sums);
WRITES(4, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs));
  FOR_EACH(i, count) {
    const uint plane = i / volume_in * volume_out;
    const ivec4 at = place(i % volume_in, inputs);
    real sum = real(0);
    FOR_EACH_TAP_BACKWARDS(k) {
      const int o = tap_back(at, k);
      if (o >= 0) {
        const uint window = plane + uint(o);
        const real e = strict_exp(parameter * (x[i] - peaks[window]));
        sum = sum + upstream[window] * divide_strictly(e, sums[window]);
      }
    }
    result[i] = sum;
  }
}
#endif
