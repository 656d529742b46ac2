// Convolution: tiled products (products.h) whose right operand is the taps of windows, or, where one goes back to the
// input, the outputs that each element meets.
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

/// What stands for a tap that meets nothing: a NaN that no operand is, since those become the usual one.
template <class T>
TENON_DEVICE T absent() {
  if constexpr (sizeof(T) == 4)
    return strict::detail::from_bits(std::uint32_t{0x7fc0abed});
  else
    return strict::detail::from_bits(std::uint64_t{0x7ff800000000abed});
}

/// Leaves out what is absent on the right: it may not become NaN by a weight that is not finite.
struct Present {
  template <class T>
  TENON_DEVICE T operator()(T a, T b, T sum) const {
    return strict::detail::bits(b) == strict::detail::bits(absent<T>()) ? sum : sum + a * b;
  }
};

/// What a convolution's input would be, from all that its output has of it. Rows are a group's input channels, columns
/// inputs of all samples; k counts the group's output channels, then the kernel's places.
template <class T, unsigned Side, unsigned Axes, class Store>
TENON_DEVICE void fold_back(const Taps<Axes>& taps, const Channels& channels, const T* from, const T* weight,
                            const Store& store) {
  const std::uint32_t inputs = taps.inputs, kernel = taps.kernel;
  const std::uint64_t rows = channels.inputs_per_group(), depth = channels.outputs_per_group();
  const Extents extents{rows, std::uint64_t{inputs} * channels.batch, depth * kernel};
  const std::uint64_t tiles = extents.tiles(Side), group = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  const T* weights = weight + group * depth * rows * kernel;

  const std::uint64_t column = fetched_column<T, Side>(extents, tile);
  const Place<Axes> place = place_of<&TapAxis::inputs>(taps, static_cast<std::uint32_t>(column % inputs));
  const T* planes = from + (column / inputs * channels.outputs + group * depth) * taps.outputs;
  const auto tap = [&](std::uint64_t, std::uint64_t k) {
    const auto element = static_cast<std::uint32_t>(k);
    const std::int32_t o = output_of(taps, place, place_of<&TapAxis::kernel>(taps, element % kernel));
    if (o < 0) return absent<T>();
    const T value = planes[std::uint64_t{element / kernel} * taps.outputs + o];
    return value == value ? value : static_cast<T>(strict::detail::kNaN);
  };
  multiply_tile<T, Side, Along::depth, Along::outer>(
      extents, tile, Present(),
      [=](std::uint64_t i, std::uint64_t k) { return weights[(k / kernel * rows + i) * kernel + k % kernel]; }, tap,
      [&](std::uint64_t i, std::uint64_t j, T sum) {
        const std::uint64_t channel = group * rows + i, plane = j / inputs * channels.inputs + channel;
        store(plane * inputs + j % inputs, channel, sum);
      });
}

template <class T, unsigned Side, unsigned Axes>
TENON_DEVICE void conv_transpose(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x,
                                 const T* weight, const T* bias) {
  fold_back<T, Side>(taps, channels, x, weight, [=](std::uint64_t element, std::uint64_t channel, T sum) {
    output[element] = sum + bias[channel];
  });
}

template <class T, unsigned Side, unsigned Axes>
TENON_DEVICE void conv_grad_input(const Taps<Axes>& taps, const Channels& channels, T* output, const T* weight,
                                  const T* upstream) {
  fold_back<T, Side>(taps, channels, upstream, weight,
                     [=](std::uint64_t element, std::uint64_t, T sum) { output[element] = sum; });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_CONVOLUTIONS(T, suffix, axes, side)                                                                      \
  TENON_KERNEL(conv_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x,             \
               const T* weight, const T* bias) {                                                                       \
    conv<T, side>(taps, channels, output, x, weight, bias);                                                            \
  }                                                                                                                    \
  TENON_KERNEL(conv_grad_weight_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x, \
               const T* upstream) {                                                                                    \
    conv_grad_weight<T, side>(taps, channels, output, x, upstream);                                                    \
  }                                                                                                                    \
  TENON_KERNEL(conv_transpose_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x,   \
               const T* weight, const T* bias) {                                                                       \
    conv_transpose<T, side>(taps, channels, output, x, weight, bias);                                                  \
  }                                                                                                                    \
  TENON_KERNEL(conv_grad_input_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output,              \
               const T* weight, const T* upstream) {                                                                   \
    conv_grad_input<T, side>(taps, channels, output, weight, upstream);                                                \
  }

TENON_CONVOLUTIONS(float, f32, 2, 32)
TENON_CONVOLUTIONS(float, f32, 2, 64)
TENON_CONVOLUTIONS(float, f32, 6, 32)
TENON_CONVOLUTIONS(float, f32, 6, 64)
TENON_CONVOLUTIONS(double, f64, 2, 32)
TENON_CONVOLUTIONS(double, f64, 2, 64)
TENON_CONVOLUTIONS(double, f64, 6, 32)
TENON_CONVOLUTIONS(double, f64, 6, 64)
