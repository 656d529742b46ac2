// fft_fno by the sums that define it, in passes: the turns; the modes of each channel; the modes of the results, or the
// gradient of the weights; the results.
#include "strict_trigonometry.h"

using namespace tenon_metal;

// Cosines of all n-ths of a turn, then sines.
kernel void fourier_turns(device uint* turns [[buffer(0)]], constant Fourier& shape [[buffer(1)]], TENON_THREAD) {
  TENON_FOR_EACH(r, shape.count) {
    const ulong four = 4ul * ulong(r), n = ulong(shape.points);
    const binary64 rest = number(four % n) * from_bits(0x3ff921fb54442d18ul) / number(n);
    binary64 c = wide_cos(rest), s = wide_sin(rest);
    for (uint quarter = uint(four / n); quarter != 0u; --quarter) {
      const binary64 turned = -s;
      s = c;
      c = turned;
    }
    turns[r] = bits(narrow(c));
    turns[shape.points + r] = bits(narrow(s));
  }
}

// A row's modes: all real parts, then all imaginary ones.
kernel void fourier_transform(device const uint* x [[buffer(0)]], device const uint* turns [[buffer(1)]],
                              device uint* result [[buffer(2)]], constant Fourier& shape [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint row = i / shape.modes, k = i % shape.modes;
    real re = real_of(0u), im = real_of(0u);
    uint r = 0u;
    for (uint j = 0u; j < shape.points; ++j) {
      const real value = real_of(x[row * shape.points + j]);
      re = re + value * real_of(turns[r]);
      im = im - value * real_of(turns[shape.points + r]);
      r += k;
      if (r >= shape.points) r -= shape.points;
    }
    result[row * 2u * shape.modes + k] = bits(re);
    result[row * 2u * shape.modes + shape.modes + k] = bits(im);
  }
}

kernel void fourier_mix(device const uint* from [[buffer(0)]], device const uint* w_re [[buffer(1)]],
                        device const uint* w_im [[buffer(2)]], device uint* result [[buffer(3)]],
                        constant Fourier& shape [[buffer(4)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint row = i / shape.modes, k = i % shape.modes;
    real re = real_of(0u), im = real_of(0u);
    for (uint c = 0u; c < shape.input_channels; ++c) {
      const uint at = (row / shape.output_channels * shape.input_channels + c) * 2u * shape.modes + k;
      const uint weight = (k * shape.input_channels + c) * shape.output_channels + row % shape.output_channels;
      const real x_re = real_of(from[at]), x_im = real_of(from[at + shape.modes]);
      const real re_weight = real_of(w_re[weight]), im_weight = real_of(w_im[weight]);
      re = re + (x_re * re_weight - x_im * im_weight);
      im = im + (x_re * im_weight + x_im * re_weight);
    }
    result[row * 2u * shape.modes + k] = bits(re);
    result[row * 2u * shape.modes + shape.modes + k] = bits(im);
  }
}

kernel void fourier_restore(device const uint* from [[buffer(0)]], device const uint* turns [[buffer(1)]],
                            device uint* result [[buffer(2)]], constant Fourier& shape [[buffer(3)]], TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint row = i / shape.points, j = i % shape.points;
    real sum = real_of(0u);
    uint r = 0u;
    for (uint k = 0u; k < shape.modes; ++k) {
      const uint at = row * 2u * shape.modes + k;
      const real p =
          real_of(from[at]) * real_of(turns[r]) - real_of(from[at + shape.modes]) * real_of(turns[shape.points + r]);
      const real times = real_from(k == 0u || 2u * k == shape.points ? 1 : 2);
      sum = sum + times * p;
      r += j;
      if (r >= shape.points) r -= shape.points;
    }
    result[i] = bits(divide_strictly(sum, real_from(shape.points)));
  }
}

// The gradients for w_re, then for w_im.
kernel void fourier_grad_weight(device const uint* x [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                                device uint* result [[buffer(2)]], constant Fourier& shape [[buffer(3)]],
                                TENON_THREAD) {
  TENON_FOR_EACH(i, shape.count) {
    const uint k = i / shape.output_channels / shape.input_channels;
    const uint c = i / shape.output_channels % shape.input_channels, o = i % shape.output_channels;
    real re = real_of(0u), im = real_of(0u);
    for (uint n = 0u; n < shape.samples; ++n) {
      const uint at = (n * shape.input_channels + c) * 2u * shape.modes + k;
      const uint above = (n * shape.output_channels + o) * 2u * shape.modes + k;
      const real x_re = real_of(x[at]), x_im = real_of(x[at + shape.modes]);
      const real g_re = real_of(upstream[above]), g_im = real_of(upstream[above + shape.modes]);
      re = re + (g_re * x_re + g_im * x_im);
      im = im + (g_im * x_re - g_re * x_im);
    }
    const real times = real_from(k == 0u || 2u * k == shape.points ? 1 : 2);
    const real divisor = real_from(max(shape.points, 1u));
    result[i] = bits(divide_strictly(times * re, divisor));
    result[shape.count + i] = bits(divide_strictly(times * im, divisor));
  }
}
