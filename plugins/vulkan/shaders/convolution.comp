// Convolution, one invocation for each element of the result: a fold from +0 in the order of docs/numerics.md. Here
// `inputs` has the channels `input_channels`, `outputs` has `output_channels`, whichever way the operation goes.
// entry conv ENTRY_CONV
// entry conv_transpose ENTRY_BACK BIAS
// entry conv_grad_input ENTRY_BACK
// entry conv_grad_weight ENTRY_WEIGHT
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push {
  ivec4 inputs, kernel, outputs, stride, padding, dilation;
  uint count, batch, input_channels, output_channels, groups;
};
#include "taps.glsl"

#if defined(ENTRY_CONV)
READS(0, x);
READS(1, weight);
READS(2, bias);
WRITES(3, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs)), taps = uint(volume(kernel));
  const uint depth = input_channels / groups, width = output_channels / groups;
  FOR_EACH(i, count) {
    const uint plane = i / volume_out, channel = plane % output_channels, sample_number = plane / output_channels;
    const ivec4 o = place(i % volume_out, outputs);
    real sum = real(0);
    for (uint c = 0u; c < opaque(depth); ++c) {
      const uint from = (sample_number * input_channels + channel / width * depth + c) * volume_in;
      uint at = (channel * depth + c) * taps;
      FOR_EACH_TAP(k) {
        const int input_at = tap(o, k);
        sum = sum + (input_at >= 0 ? x[from + uint(input_at)] : real(0)) * weight[at];
        ++at;
      }
    }
    result[i] = sum + bias[channel];
  }
}

#elif defined(ENTRY_BACK)
READS(0, y);
READS(1, weight);
#if defined(BIAS)
READS(2, bias);
WRITES(3, result);
#else
WRITES(2, result);
#endif
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs)), taps = uint(volume(kernel));
  const uint depth = output_channels / groups, width = input_channels / groups;
  FOR_EACH(i, count) {
    const uint plane = i / volume_in, channel = plane % input_channels, sample_number = plane / input_channels;
    const ivec4 at = place(i % volume_in, inputs);
    const uint first = channel / width * depth;
    real sum = real(0);
    for (uint o = first; o < first + opaque(depth); ++o) {
      const uint from = (sample_number * output_channels + o) * volume_out;
      uint weight_at = (o * width + channel % width) * taps;
      FOR_EACH_TAP(k) {
        const int output_at = tap_back(at, k);
        if (output_at >= 0) sum = sum + y[from + uint(output_at)] * weight[weight_at];
        ++weight_at;
      }
    }
#if defined(BIAS)
    sum = sum + bias[channel];
#endif
    result[i] = sum;
  }
}

#else
READS(0, x);
READS(1, upstream);
WRITES(2, result);
void main() {
  const uint volume_in = uint(volume(inputs)), volume_out = uint(volume(outputs)), taps = uint(volume(kernel));
  const uint depth = input_channels / groups, width = output_channels / groups;
  FOR_EACH(i, count) {
    const ivec4 k = place(i % taps, kernel);
    const uint pair = i / taps, channel = pair / depth, from = channel / width * depth + pair % depth;
    real sum = real(0);
    for (uint n = 0u; n < opaque(batch); ++n) {
      const uint x_at = (n * input_channels + from) * volume_in;
      const uint y_at = (n * output_channels + channel) * volume_out;
      for (uint o = 0u; o < opaque(volume_out); ++o) {
        const int input_at = tap(place(o, outputs), k);
        sum = sum + (input_at >= 0 ? x[x_at + uint(input_at)] : real(0)) * upstream[y_at + o];
      }
    }
    result[i] = sum;
  }
}
#endif
