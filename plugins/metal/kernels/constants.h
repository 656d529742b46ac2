// constants.h: the scalars and shapes of each kernel, one struct for each, bound behind its arrays (README.md). Both
// sides include this: the host fills a struct and passes its bytes, a kernel sees it in the constant address space. All
// members have four bytes, so a struct has no padding, and the members' order is that of plugins/vulkan's push
// constants.
//
// Plain values; nothing is owned.
#pragma once

namespace tenon_metal {

/// Elementwise operations: `a` and `b` are attributes of those that have any.
struct Elementwise {
  unsigned int count;
  float a, b;
};

/// Updates, the numbers in this order:
///   sgd rate | momentum rate, momentum | adam, adamw first, beta2, second, epsilon, step_size, correction, decay |
///   adagrad rate, epsilon, decay | rmsprop, adadelta rate, alpha, rest, epsilon, decay
struct Update {
  unsigned int count;
  float numbers[7];
};

struct Fill {
  unsigned int count;
  float value;
};
/// Draws of a key. A mask is 1 where the draw's 32 bits are below `threshold`: ceil(keep 2^32), between 0 and 2^32.
struct Draw {
  unsigned int count;
  unsigned int key_low, key_high;
  unsigned int threshold_low, threshold_high;
};

struct Rearrange {
  unsigned int extents[8], strides[8];
  unsigned int axes, count;
};
struct Concat {
  unsigned int count, first, second;  // elements of a block's two parts
};
struct Slice {
  unsigned int count, taken, stride, skipped;
};
/// gather, and scatter_add, where `count` is outer * inner.
struct Indexed {
  unsigned int count, indices_count, extent, inner;
};

/// The axes of the groups, then those of their members. `count` is groups, times blocks for sums.
struct Reduction {
  unsigned int extents[8], strides[8];
  unsigned int group_axes, axes;
  unsigned int count;
  unsigned int members, blocks;
  unsigned int divides;
  float divisor;
};

/// Rows along the last axis, `count` of them, each of n.
struct Rows {
  unsigned int count, n;
  float parameter;
};
struct MaskedRows {
  unsigned int extents[8], strides[8];  // where the matrix of a mask begins
  unsigned int axes, rows_per_matrix;
  unsigned int count, n;
  float parameter;
};
struct Planes {
  unsigned int count, channels, plane;
  float epsilon;
};

struct Product {
  unsigned int extents[6], left_strides[6], right_strides[6];  // the leading axes, and where an operand's matrix begins
  unsigned int axes, rows, depth, columns;
  unsigned int matrices;
  float factor;  // of scores
};

/// Four spatial axes, unused ones in front with the extent 1.
struct Convolution {
  int inputs[4], window[4], outputs[4], stride[4], padding[4], dilation[4];
  unsigned int count, batch, input_channels, output_channels, groups;
};
struct Pooling {
  int inputs[4], window[4], outputs[4], stride[4], padding[4], dilation[4];
  unsigned int count;
  float parameter;  // elements of the kernel, or beta
};

struct Scan {
  unsigned int count, steps;  // elements of a step
};
struct Fourier {
  unsigned int count, points, modes, input_channels, output_channels, samples;
};
struct Battery {
  unsigned int count;
};

/// How kernels are started (README.md).
enum Launch {
  team_lanes = 16,     // threads that work on one row or sum
  team_threads = 256,  // of a threadgroup of teams
  teams = 16,          // of a threadgroup
  tile = 64,           // rows and columns of what a threadgroup of a product makes
  tile_threads = 256,
  small_tile = 32,
  small_tile_threads = 64
};

}  // namespace tenon_metal
