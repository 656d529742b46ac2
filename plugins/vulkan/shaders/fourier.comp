// fft_fno by the sums that define it, in passes: the turns; the modes of each channel; the modes of the results, or the
// gradient of the weights; the results.
// entry turns ENTRY_TURNS
// entry transform ENTRY_TRANSFORM
// entry mix ENTRY_MIX
// entry restore ENTRY_RESTORE
// entry grad_weight ENTRY_GRAD_WEIGHT
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"
#include "strict.glsl"

layout(push_constant) uniform Push {
  uint count, points, modes, input_channels, output_channels, samples;
};

// A row's modes: all real parts, then all imaginary ones.
#if defined(ENTRY_TURNS)  // cosines of all n-ths of a turn, then sines
WRITES(0, turns);
void main() {
  FOR_EACH(r, count) {
    const uint64_t four = 4ul * uint64_t(r);
    const double rest = double(uint(four % uint64_t(points))) * 1.5707963267948966LF / double(points);
    double c = strict_cos(rest), s = strict_sin(rest);
    for (uint quarter = uint(four / uint64_t(points)); quarter != 0u; --quarter) {
      const double turned = -s;
      s = c;
      c = turned;
    }
    turns[r] = real(c);
    turns[points + r] = real(s);
  }
}

#elif defined(ENTRY_TRANSFORM)
READS(0, x);
READS(1, turns);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    const uint row = i / modes, k = i % modes;
    real re = real(0), im = real(0);
    uint r = 0u;
    for (uint j = 0u; j < opaque(points); ++j) {
      const real value = x[row * points + j];
      re = re + value * turns[r];
      im = im - value * turns[points + r];
      r += k;
      if (r >= opaque(points)) r -= points;
    }
    result[row * 2u * modes + k] = re;
    result[row * 2u * modes + modes + k] = im;
  }
}

#elif defined(ENTRY_MIX)
READS(0, from);
READS(1, w_re);
READS(2, w_im);
WRITES(3, result);
void main() {
  FOR_EACH(i, count) {
    const uint row = i / modes, k = i % modes;
    real re = real(0), im = real(0);
    for (uint c = 0u; c < opaque(input_channels); ++c) {
      const uint at = (row / output_channels * input_channels + c) * 2u * modes + k;
      const uint weight = (k * input_channels + c) * output_channels + row % output_channels;
      const real x_re = from[at], x_im = from[at + modes];
      re = re + (x_re * w_re[weight] - x_im * w_im[weight]);
      im = im + (x_re * w_im[weight] + x_im * w_re[weight]);
    }
    result[row * 2u * modes + k] = re;
    result[row * 2u * modes + modes + k] = im;
  }
}

#elif defined(ENTRY_RESTORE)
READS(0, from);
READS(1, turns);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    const uint row = i / points, j = i % points;
    real sum = real(0);
    uint r = 0u;
    for (uint k = 0u; k < opaque(modes); ++k) {
      const uint at = row * 2u * modes + k;
      const real p = from[at] * turns[r] - from[at + modes] * turns[points + r];
      const real times = k == 0u || 2u * k == points ? real(1) : real(2);
      sum = sum + times * p;
      r += j;
      if (r >= opaque(points)) r -= points;
    }
    result[i] = divide_strictly(sum, real(points));
  }
}

#else  // the gradients for w_re, then for w_im
READS(0, x);
READS(1, upstream);
WRITES(2, result);
void main() {
  FOR_EACH(i, count) {
    const uint k = i / output_channels / input_channels, c = i / output_channels % input_channels;
    const uint o = i % output_channels;
    real re = real(0), im = real(0);
    for (uint n = 0u; n < opaque(samples); ++n) {
      const uint at = (n * input_channels + c) * 2u * modes + k;
      const uint above = (n * output_channels + o) * 2u * modes + k;
      re = re + (upstream[above] * x[at] + upstream[above + modes] * x[at + modes]);
      im = im + (upstream[above + modes] * x[at] - upstream[above] * x[at + modes]);
    }
    const real times = k == 0u || 2u * k == opaque(points) ? real(1) : real(2);
    const real divisor = real(max(points, 1u));
    result[i] = divide_strictly(times * re, divisor);
    result[count + i] = divide_strictly(times * im, divisor);
  }
}
#endif
