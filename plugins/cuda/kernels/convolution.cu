// Convolution: tiled products (products.h) whose right operand is the taps of windows, or, where one goes back to the
// input, the outputs that each element meets.
#include "divide.h"
#include "windows.h"

namespace tenon::gpu {
namespace {

/// Writes columns that are elements of planes, `size` of each; the rows are channels of which a sample has `channels`,
/// from `first` on. finish(sum, channel) is what becomes of a sum.
template <class Chunk, class T, class Finish>
struct OfPlanes {
  T* to;
  std::uint32_t size;
  std::uint64_t columns, channels, first;
  Finish finish;

  TENON_DEVICE auto operator()(std::uint64_t column) const {
    const Division at = divide(column, size);
    T* const from_here = to + (at.quotient * channels + first) * size + at.rest;
    const auto rest = static_cast<std::uint32_t>(at.rest);
    const unsigned count = inside<Chunk>(columns - column);
    return [=, *this](std::uint64_t row, const Chunk& sums) {
      T* element = from_here + row * size;
      std::uint32_t place = rest;
#pragma unroll
      for (unsigned i = 0; i < Chunk::width; ++i) {
        if (i < count) *element = finish(sums.at[i], first + row);
        ++element;
        if (++place == size) {
          place = 0;
          element += (channels - 1) * size;
        }
      }
    };
  }
};

/// The column of which a thread fetches, as the sample and the element of its plane.
template <class T, unsigned Side>
TENON_DEVICE Division fetched_column(const TileNumber<Side>& tile, const FetchDown<T, Side>& fetch,
                                     std::uint64_t columns, std::uint32_t size) {
  return divide(no_further(tile.column() + fetch.outer, columns), size);
}

/// Columns are outputs of all samples, k counts a group's input channels, then the kernel's places.
template <class T, unsigned Side, class Add, unsigned Axes>
TENON_DEVICE void conv(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x, const T* weight,
                       const T* bias) {
  const std::uint64_t rows = channels.outputs_per_group(), inputs = channels.inputs_per_group();
  const Extents extents{rows, std::uint64_t(taps.outputs) * channels.batch, inputs * taps.kernel};
  const auto tile = TileNumber<Side>::of(extents);
  const auto fetch = FetchDown<T, Side>::along_outer();
  const Division column = fetched_column(tile, fetch, extents.columns, taps.outputs);
  const Point<Axes> corner =
      corner_of(taps, place_of<&TapExtents::outputs>(taps, static_cast<std::uint32_t>(column.rest)));
  const T* planes = x + (column.quotient * channels.inputs + tile.matrix * inputs) * taps.inputs;
  const auto tap = [&taps, corner, planes](const Place<Axes>& kernel, std::uint32_t channel) {
    const std::int32_t i = input_at(taps, corner, reach_of(taps, kernel));
    return i < 0 ? T(0) : planes[std::uint64_t{channel} * taps.inputs + i];
  };
  const auto biased = [=](T sum, std::uint64_t channel) { return sum + bias[channel]; };
  multiply_tile<T, Side>(
      extents, tile, Add(),
      Stored<T, Side, Along::depth>(weight + tile.matrix * rows * extents.depth, tile.row(), rows, extents.depth),
      gathered<&TapExtents::kernel>(taps, fetch, tap),
      OfPlanes<Chunk<T, Side>, T, decltype(biased)>{output, static_cast<std::uint32_t>(taps.outputs), extents.columns,
                                                    std::uint64_t(channels.outputs), tile.matrix * rows, biased});
}

/// Rows are output channels, columns a group's input channels and the kernel's places; k counts outputs of all samples.
template <class T, unsigned Side, class Add, unsigned Axes>
TENON_DEVICE void conv_grad_weight(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x,
                                   const T* upstream) {
  const std::uint64_t rows = channels.outputs_per_group(), inputs = channels.inputs_per_group();
  const Extents extents{rows, inputs * taps.kernel, std::uint64_t(taps.outputs) * channels.batch};
  const auto tile = TileNumber<Side>::of(extents);
  const auto fetch = FetchDown<T, Side>::along_depth();
  const Division column = fetched_column(tile, fetch, extents.columns, taps.kernel);
  const Point<Axes> reach =
      reach_of(taps, place_of<&TapExtents::kernel>(taps, static_cast<std::uint32_t>(column.rest)));
  const T* planes = x + (tile.matrix * inputs + column.quotient) * taps.inputs;
  const std::uint64_t sample_elements = std::uint64_t(channels.inputs) * taps.inputs;
  const auto tap = [&taps, reach, planes, sample_elements](const Place<Axes>& window, std::uint32_t sample) {
    const std::int32_t i = input_at(taps, corner_of(taps, window), reach);
    return i < 0 ? T(0) : planes[sample * sample_elements + i];
  };
  const std::uint64_t plane = taps.outputs;
  multiply_tile<T, Side>(extents, tile, Add(),
                         InRuns<T, Side>(upstream + tile.matrix * rows * plane, tile.row(), rows,
                                         {static_cast<std::uint32_t>(plane), channels.outputs * plane, plane}),
                         gathered<&TapExtents::outputs>(taps, fetch, tap),
                         Dense<Chunk<T, Side>, T>{output + tile.matrix * rows * extents.columns, extents.columns});
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
template <class Add>
struct Present {
  template <class T>
  TENON_DEVICE T operator()(T a, T b, T sum) const {
    return strict::detail::bits(b) == strict::detail::bits(absent<T>()) ? sum : Add()(a, b, sum);
  }
};

/// What a convolution's input would be, from all that its output has of it. Rows are a group's input channels, columns
/// inputs of all samples; k counts the group's output channels, then the kernel's places.
template <class T, unsigned Side, class Add, unsigned Axes, class Finish>
TENON_DEVICE void fold_back(const Taps<Axes>& taps, const Channels& channels, T* output, const T* from, const T* weight,
                            const Finish& finish) {
  const std::uint64_t rows = channels.inputs_per_group(), depth = channels.outputs_per_group(), kernel = taps.kernel;
  const Extents extents{rows, std::uint64_t(taps.inputs) * channels.batch, depth * kernel};
  const auto tile = TileNumber<Side>::of(extents);
  const auto fetch = FetchDown<T, Side>::along_outer();
  const Division column = fetched_column(tile, fetch, extents.columns, taps.inputs);
  const Point<Axes> place = padded(taps, place_of<&TapExtents::inputs>(taps, static_cast<std::uint32_t>(column.rest)));
  const T* planes = from + (column.quotient * channels.outputs + tile.matrix * depth) * taps.outputs;
  const auto tap = [&taps, place, planes](const Place<Axes>& element, std::uint32_t channel) {
    const std::int32_t o = output_at(taps, place, reach_of(taps, element));
    if (o < 0) return absent<T>();
    const T value = planes[std::uint64_t{channel} * taps.outputs + o];
    return value == value ? value : static_cast<T>(strict::detail::kNaN);
  };
  multiply_tile<T, Side>(
      extents, tile, Present<Add>(),
      InRuns<T, Side>(weight + tile.matrix * depth * rows * kernel, tile.row(), rows,
                      {static_cast<std::uint32_t>(kernel), rows * kernel, kernel}),
      gathered<&TapExtents::kernel>(taps, fetch, tap),
      OfPlanes<Chunk<T, Side>, T, Finish>{output, static_cast<std::uint32_t>(taps.inputs), extents.columns,
                                          std::uint64_t(channels.inputs), tile.matrix * rows, finish});
}

template <class T, unsigned Side, class Add, unsigned Axes>
TENON_DEVICE void conv_transpose(const Taps<Axes>& taps, const Channels& channels, T* output, const T* x,
                                 const T* weight, const T* bias) {
  fold_back<T, Side, Add>(taps, channels, output, x, weight,
                          [=](T sum, std::uint64_t channel) { return sum + bias[channel]; });
}

template <class T, unsigned Side, class Add, unsigned Axes>
TENON_DEVICE void conv_grad_input(const Taps<Axes>& taps, const Channels& channels, T* output, const T* weight,
                                  const T* upstream) {
  fold_back<T, Side, Add>(taps, channels, output, upstream, weight, [](T sum, std::uint64_t) { return sum; });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_CONVOLUTIONS(T, suffix, axes, side, kind, Add)                                                        \
  TENON_KERNEL(conv_##kind##_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, const T* x, \
               const T* weight, const T* bias) {                                                                    \
    conv<T, side, Add>(taps, channels, output, x, weight, bias);                                                    \
  }                                                                                                                 \
  TENON_KERNEL(conv_grad_weight_##kind##_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output, \
               const T* x, const T* upstream) {                                                                     \
    conv_grad_weight<T, side, Add>(taps, channels, output, x, upstream);                                            \
  }                                                                                                                 \
  TENON_KERNEL(conv_transpose_##kind##_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output,   \
               const T* x, const T* weight, const T* bias) {                                                        \
    conv_transpose<T, side, Add>(taps, channels, output, x, weight, bias);                                          \
  }                                                                                                                 \
  TENON_KERNEL(conv_grad_input_##kind##_##axes##_##side##_##suffix, Taps<axes> taps, Channels channels, T* output,  \
               const T* weight, const T* upstream) {                                                                \
    conv_grad_input<T, side, Add>(taps, channels, output, weight, upstream);                                        \
  }

TENON_CONVOLUTIONS(float, f32, 2, 32, strict, Separate)
TENON_CONVOLUTIONS(float, f32, 2, 64, strict, Separate)
TENON_CONVOLUTIONS(float, f32, 6, 32, strict, Separate)
TENON_CONVOLUTIONS(double, f64, 2, 32, strict, Separate)
TENON_CONVOLUTIONS(double, f64, 2, 64, strict, Separate)
TENON_CONVOLUTIONS(double, f64, 6, 32, strict, Separate)
TENON_CONVOLUTIONS(float, f32, 2, 32, fused, Fused)
TENON_CONVOLUTIONS(float, f32, 2, 64, fused, Fused)
TENON_CONVOLUTIONS(double, f64, 2, 32, fused, Fused)
TENON_CONVOLUTIONS(double, f64, 2, 64, fused, Fused)
