// Convolution. What gathers taps is a tiled product (products.h) whose right operand is the windows; what scatters them
// back is a fold of its own, since taps that meet nothing are left out.
#include "products.h"
#include "taps.h"

namespace tenon::gpu {
namespace {

/// Columns are outputs of all samples, k counts a group's input channels, then the kernel's places.
template <class T, unsigned Side, unsigned Axes>
TENON_DEVICE void conv(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x, const T* weight,
                       const T* bias) {
  const std::uint32_t outputs = taps.outputs, kernel = taps.kernel;
  const std::uint64_t rows = channels.outputs_per_group(), inputs = channels.inputs_per_group();
  const Extents extents{rows, std::uint64_t{outputs} * channels.batch, inputs * kernel};
  const std::uint64_t tiles = extents.tiles(Side), group = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  const T* weights = weight + group * rows * extents.depth;

  // Each thread fetches of one column alone.
  const std::uint64_t column = fetched_column<T, Side>(extents, tile);
  const Place<Axes> window = place_of<&TapAxis::outputs>(taps, static_cast<std::uint32_t>(column % outputs));
  const T* planes = x + (column / outputs * channels.inputs + group * inputs) * taps.inputs;
  const auto tap = [&](std::uint64_t, std::uint64_t k) {
    const auto element = static_cast<std::uint32_t>(k);
    const std::int32_t i = input_of(taps, window, place_of<&TapAxis::kernel>(taps, element % kernel));
    return i < 0 ? T(0) : planes[std::uint64_t{element / kernel} * taps.inputs + i];
  };
  multiply_tile<T, Side, Along::depth, Along::outer>(
      extents, tile, Separate(), [=](std::uint64_t i, std::uint64_t k) { return weights[i * extents.depth + k]; }, tap,
      [&](std::uint64_t i, std::uint64_t j, T sum) {
        const std::uint64_t channel = group * rows + i, plane = j / outputs * channels.outputs + channel;
        output[plane * outputs + j % outputs] = sum + bias[channel];
      });
}

/// Rows are output channels, columns a group's input channels and the kernel's places; k counts outputs of all samples.
template <class T, unsigned Side, unsigned Axes>
TENON_DEVICE void conv_grad_weight(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x,
                                   const T* upstream) {
  const std::uint32_t outputs = taps.outputs, kernel = taps.kernel;
  const std::uint64_t rows = channels.outputs_per_group(), inputs = channels.inputs_per_group();
  const Extents extents{rows, inputs * kernel, std::uint64_t{outputs} * channels.batch};
  const std::uint64_t tiles = extents.tiles(Side), group = blockIdx.x / tiles, tile = blockIdx.x % tiles;

  const std::uint64_t column = fetched_column<T, Side>(extents, tile);
  const Place<Axes> position = place_of<&TapAxis::kernel>(taps, static_cast<std::uint32_t>(column % kernel));
  const T* planes = x + (group * inputs + column / kernel) * taps.inputs;
  const std::uint64_t sample_elements = std::uint64_t(channels.inputs) * taps.inputs;
  const auto tap = [&](std::uint64_t, std::uint64_t k) {
    const Place<Axes> window = place_of<&TapAxis::outputs>(taps, static_cast<std::uint32_t>(k % outputs));
    const std::int32_t i = input_of(taps, window, position);
    return i < 0 ? T(0) : planes[k / outputs * sample_elements + i];
  };
  multiply_tile<T, Side, Along::depth, Along::outer>(
      extents, tile, Separate(),
      [&](std::uint64_t i, std::uint64_t k) {
        return upstream[(k / outputs * channels.outputs + group * rows + i) * outputs + k % outputs];
      },
      tap, [=](std::uint64_t i, std::uint64_t j, T sum) { output[(group * rows + i) * extents.columns + j] = sum; });
}

constexpr unsigned remembered = 32;

/// One element of what a convolution's input would be, from all that its output has of it. Where the kernel is small,
/// the outputs that it meets are found once for all channels.
template <class T, unsigned Axes>
TENON_DEVICE T fold_back(const Taps<Axes>& taps, const Channels& channels, std::uint64_t plane, std::uint32_t input,
                         const T* from, const T* weight) {
  const std::uint64_t sample = plane / channels.inputs, channel = plane % channels.inputs;
  const std::uint64_t width = channels.inputs_per_group(), depth = channels.outputs_per_group();
  const std::uint64_t first = channel / width * depth;
  const Place<Axes> place = place_of<&TapAxis::inputs>(taps, input);
  const std::uint32_t kernel = taps.kernel;
  const auto met = [&](std::uint32_t k) { return output_of(taps, place, place_of<&TapAxis::kernel>(taps, k)); };
  std::int32_t known[remembered];
  const std::uint32_t known_count = kernel < remembered ? kernel : remembered;
  for (std::uint32_t k = 0; k < known_count; ++k) known[k] = met(k);

  T sum = 0;
  for (std::uint64_t o = first; o < first + depth; ++o) {
    const T* above = from + (sample * channels.outputs + o) * taps.outputs;
    const T* factors = weight + (o * width + channel % width) * kernel;
    for (std::uint32_t k = 0; k < kernel; ++k) {
      const std::int32_t at = k < remembered ? known[k] : met(k);
      if (at >= 0) sum = sum + above[at] * factors[k];
    }
  }
  return sum;
}

template <class T, unsigned Axes>
TENON_DEVICE void conv_transpose(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x,
                                 const T* weight, const T* bias) {
  const std::uint64_t i = thread_number(), plane = i / taps.inputs;
  if (plane >= std::uint64_t(channels.batch) * channels.inputs) return;
  output[i] = fold_back(taps, channels, plane, static_cast<std::uint32_t>(i % taps.inputs), x, weight) +
              bias[plane % channels.inputs];
}

template <class T, unsigned Axes>
TENON_DEVICE void conv_grad_input(const Taps<Axes>& taps, const Channels& channels, T* output, const T* weight,
                                  const T* upstream) {
  const std::uint64_t i = thread_number(), plane = i / taps.inputs;
  if (plane >= std::uint64_t(channels.batch) * channels.inputs) return;
  output[i] = fold_back(taps, channels, plane, static_cast<std::uint32_t>(i % taps.inputs), upstream, weight);
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_CONVOLUTION_TILES(T, suffix, axes, side)                                                                 \
  TENON_KERNEL(conv_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x,             \
               const T* weight, const T* bias) {                                                                       \
    conv<T, side>(taps, channels, output, x, weight, bias);                                                            \
  }                                                                                                                    \
  TENON_KERNEL(conv_grad_weight_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x, \
               const T* upstream) {                                                                                    \
    conv_grad_weight<T, side>(taps, channels, output, x, upstream);                                                    \
  }
#define TENON_CONVOLUTIONS(T, suffix, axes)                                                                       \
  TENON_CONVOLUTION_TILES(T, suffix, axes, 32)                                                                    \
  TENON_CONVOLUTION_TILES(T, suffix, axes, 64)                                                                    \
  TENON_KERNEL(conv_transpose_##axes##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x,       \
               const T* weight, const T* bias) {                                                                  \
    conv_transpose(taps, channels, output, x, weight, bias);                                                      \
  }                                                                                                               \
  TENON_KERNEL(conv_grad_input_##axes##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* weight, \
               const T* upstream) {                                                                               \
    conv_grad_input(taps, channels, output, weight, upstream);                                                    \
  }

TENON_CONVOLUTIONS(float, f32, 2)
TENON_CONVOLUTIONS(float, f32, 6)
TENON_CONVOLUTIONS(double, f64, 2)
TENON_CONVOLUTIONS(double, f64, 6)
