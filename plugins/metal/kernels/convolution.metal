// Convolution in the order of docs/numerics.md. Here `inputs` has the channels `input_channels`, `outputs` has
// `output_channels`, whichever way the operation goes.
//
// conv and conv_grad_weight are products of matrices, whose right operand is gathered by taps: a tap in the padding is
// +0 and takes part. Going back a tap that is not there takes no part, so that is a fold for each element.
#include "products.h"
#include "taps.h"

using namespace tenon_metal;

namespace tenon_metal {

inline uint depth_of(constant Convolution& shape) { return shape.input_channels / shape.groups; }
inline uint width_of(constant Convolution& shape) { return shape.output_channels / shape.groups; }

/// Of one sample and group: k is channels and positions of the window, columns are positions of the result. A thread
/// always asks for the same four columns, and so `first` says where their windows begin.
struct TapsByOutputs {
  enum { runs_along_k = 0 };
  device const uint* x;
  Taps taps;
  uint depth, columns, positions, volume_in;
  int4 first[4];

  uint4 along_columns(uint k, uint column) const {
    uint4 quad = uint4(0u);
    if (k >= depth) return quad;
    device const uint* plane = x + ulong(k / positions) * volume_in;
    const int4 step = place(k % positions, taps.window) * taps.dilation;
    for (uint i = 0u; i < 4u && column + i < columns; ++i) {
      const int4 at = first[i] + step;
      if (!any(at < int4(0)) && !any(at >= taps.inputs)) quad[i] = plane[number_of(at, taps.inputs)];
    }
    return quad;
  }
};

/// Of one group: k is samples and positions of the result, columns are channels and positions of the window.
struct TapsByWeights {
  enum { runs_along_k = 0 };
  device const uint* x;
  Taps taps;
  uint depth, columns, positions, volume_in, volume_out, sample;  // sample: elements of one

  uint4 along_columns(uint k, uint column) const {
    uint4 quad = uint4(0u);
    if (k >= depth) return quad;
    const int4 output = place(k % volume_out, taps.outputs);
    for (uint i = 0u; i < 4u && column + i < columns; ++i) {
      const int tap = taps.tap(output, place((column + i) % positions, taps.window));
      if (tap >= 0) quad[i] = x[ulong(k / volume_out) * sample + ulong((column + i) / positions) * volume_in + tap];
    }
    return quad;
  }
};
/// Channels by k as there.
struct UpstreamRows {
  device const uint* upstream;
  uint rows, depth, volume_out, sample;

  uint4 along_k(uint row, uint k) const {
    uint4 quad = uint4(0u);
    if (row >= rows) return quad;
    for (uint i = 0u; i < 4u && k + i < depth; ++i)
      quad[i] = upstream[ulong((k + i) / volume_out) * sample + ulong(row) * volume_out + (k + i) % volume_out];
    return quad;
  }
};

template <uint Tile>
inline void conv(device const uint* x, device const uint* weight, device const uint* bias, device uint* result,
                 constant Convolution& shape, uint3 group, uint thread_number, TileMemory memory) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  const uint positions = uint(volume(taps.window)), depth = depth_of(shape) * positions, width = width_of(shape);
  const uint sample = group.z / shape.groups, part = group.z % shape.groups;
  const ulong weights_at = ulong(part) * width * depth;
  const ulong inputs_at = (ulong(sample) * shape.input_channels + part * depth_of(shape)) * volume_in;
  const ulong result_at = (ulong(sample) * shape.output_channels + part * width) * volume_out;
  const DenseRows left = {weight + weights_at, width, depth, in_quads(weights_at, depth)};
  TapsByOutputs right = {x + inputs_at, taps, depth, volume_out, positions, volume_in, {}};
  const uint column = group.x * Tile + thread_number % TileShape<Tile>::side * 4u;
  for (uint i = 0u; i < 4u; ++i)
    right.first[i] = place(min(column + i, volume_out - 1u), taps.outputs) * taps.stride - taps.padding;
  const Target target = {result + result_at, width, volume_out, in_quads(result_at, volume_out)};
  const AddOfRow finish = {bias + part * width};
  make_tile<Tile, true>(left, right, target, finish, depth, group, thread_number, memory);
}

template <uint Tile>
inline void conv_grad_weight(device const uint* x, device const uint* upstream, device uint* result,
                             constant Convolution& shape, uint3 group, uint thread_number, TileMemory memory) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  const uint positions = uint(volume(taps.window)), columns = depth_of(shape) * positions, width = width_of(shape);
  const uint depth = shape.batch * volume_out, part = group.z;
  const ulong result_at = ulong(part) * width * columns;
  const UpstreamRows left = {upstream + ulong(part) * width * volume_out, width, depth, volume_out,
                             shape.output_channels * volume_out};
  const TapsByWeights right = {x + ulong(part) * depth_of(shape) * volume_in,
                               taps,
                               depth,
                               columns,
                               positions,
                               volume_in,
                               volume_out,
                               shape.input_channels * volume_in};
  const Target target = {result + result_at, width, columns, in_quads(result_at, columns)};
  make_tile<Tile, true>(left, right, target, Nothing(), depth, group, thread_number, memory);
}

/// Element i of what goes back from y to the inputs: a fold over the channels of y, then the window.
inline real fold_back(device const uint* y, device const uint* weight, constant Convolution& shape, const Taps taps,
                      uint i) {
  const uint volume_in = uint(volume(taps.inputs)), volume_out = uint(volume(taps.outputs));
  const uint positions = uint(volume(taps.window)), depth = width_of(shape), width = depth_of(shape);
  const uint plane = i / volume_in, channel = plane % shape.input_channels, sample = plane / shape.input_channels;
  const int4 at = place(i % volume_in, taps.inputs);
  const uint first = channel / width * depth;
  real sum = real_of(0u);
  for (uint o = first; o < first + depth; ++o) {
    device const uint* from = y + (ulong(sample) * shape.output_channels + o) * volume_out;
    device const uint* weight_at = weight + (ulong(o) * width + channel % width) * positions;
    uint position = 0u;
    TENON_FOR_EACH_TAP(k, taps) {
      const int output_at = taps.tap_back(at, k);
      if (output_at >= 0) sum = sum + real_of(from[output_at]) * real_of(weight_at[position]);
      ++position;
    }
  }
  return sum;
}

}  // namespace tenon_metal

#define TENON_CONV(name, Tile)                                                                  \
  kernel void name(device const uint* x [[buffer(0)]], device const uint* weight [[buffer(1)]], \
                   device const uint* bias [[buffer(2)]], device uint* result [[buffer(3)]],    \
                   constant Convolution& shape [[buffer(4)]], TENON_TILE_THREAD) {              \
    TENON_TILE_MEMORY(memory, Tile);                                                            \
    conv<Tile>(x, weight, bias, result, shape, group, thread_number, memory);                   \
  }
#define TENON_CONV_GRAD_WEIGHT(name, Tile)                                                                            \
  kernel void name(device const uint* x [[buffer(0)]], device const uint* upstream [[buffer(1)]],                     \
                   device uint* result [[buffer(2)]], constant Convolution& shape [[buffer(3)]], TENON_TILE_THREAD) { \
    TENON_TILE_MEMORY(memory, Tile);                                                                                  \
    conv_grad_weight<Tile>(x, upstream, result, shape, group, thread_number, memory);                                 \
  }

TENON_CONV(convolution_conv, tile)
TENON_CONV(convolution_conv_small, small_tile)
TENON_CONV_GRAD_WEIGHT(convolution_conv_grad_weight, tile)
TENON_CONV_GRAD_WEIGHT(convolution_conv_grad_weight_small, small_tile)

kernel void convolution_conv_transpose(device const uint* x [[buffer(0)]], device const uint* weight [[buffer(1)]],
                                       device const uint* bias [[buffer(2)]], device uint* result [[buffer(3)]],
                                       constant Convolution& shape [[buffer(4)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  const uint volume_in = uint(volume(taps.inputs));
  TENON_FOR_EACH(i, shape.count) {
    const real sum = fold_back(x, weight, shape, taps, i);
    result[i] = bits(sum + real_of(bias[i / volume_in % shape.input_channels]));
  }
}

kernel void convolution_conv_grad_input(device const uint* upstream [[buffer(0)]],
                                        device const uint* weight [[buffer(1)]], device uint* result [[buffer(2)]],
                                        constant Convolution& shape [[buffer(3)]], TENON_THREAD) {
  const Taps taps = taps_of(shape);
  TENON_FOR_EACH(i, shape.count) result[i] = bits(fold_back(upstream, weight, shape, taps, i));
}
