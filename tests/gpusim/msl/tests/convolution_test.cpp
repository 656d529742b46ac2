// Convolutions against folds on the host, in the order of docs/numerics.md.
#include <array>

#include "host.h"

namespace gpusim::msl {
namespace {

using namespace tenon_metal;

using Four = std::array<int, 4>;

struct Layer {
  const char* name;
  unsigned batch, inputs, outputs, groups;
  Four in, window, stride, padding, dilation;

  Four out() const {
    Four out{};
    for (int a = 0; a < 4; ++a) out[a] = (in[a] + 2 * padding[a] - dilation[a] * (window[a] - 1) - 1) / stride[a] + 1;
    return out;
  }
  unsigned depth() const { return inputs / groups; }
  unsigned width() const { return outputs / groups; }
};
unsigned volume(const Four& x) { return unsigned(x[0] * x[1] * x[2] * x[3]); }
Four place(unsigned p, const Four& extents) {
  Four at{};
  for (int a = 3; a >= 0; --a) {
    at[a] = int(p) % extents[a];
    p /= unsigned(extents[a]);
  }
  return at;
}
/// The input that output o meets at k of the window; -1 in the padding.
int tap(const Layer& l, unsigned o, unsigned k) {
  const Four at_o = place(o, l.out()), at_k = place(k, l.window);
  int number = 0;
  for (int a = 0; a < 4; ++a) {
    const int at = at_o[a] * l.stride[a] + at_k[a] * l.dilation[a] - l.padding[a];
    if (at < 0 || at >= l.in[a]) return -1;
    number = number * l.in[a] + at;
  }
  return number;
}

Convolution constants_of(const Layer& l, std::size_t count) {
  Convolution c{};
  std::copy(l.in.begin(), l.in.end(), c.inputs);
  std::copy(l.window.begin(), l.window.end(), c.window);
  const Four out = l.out();
  std::copy(out.begin(), out.end(), c.outputs);
  std::copy(l.stride.begin(), l.stride.end(), c.stride);
  std::copy(l.padding.begin(), l.padding.end(), c.padding);
  std::copy(l.dilation.begin(), l.dilation.end(), c.dilation);
  c.count = unsigned(count);
  c.batch = l.batch;
  c.input_channels = l.inputs;
  c.output_channels = l.outputs;
  c.groups = l.groups;
  return c;
}

class MetalConvolutions : public testing::TestWithParam<std::tuple<Layer, Range>> {
 protected:
  Layer l = std::get<0>(GetParam());
  Range range = std::get<1>(GetParam());
  unsigned in = volume(l.in), out = volume(l.out()), taps = volume(l.window);
  Floats x = drawn(l.batch * l.inputs * in, range, 41), weight = drawn(l.outputs * l.depth() * taps, range, 42);
  Floats y = drawn(l.batch * l.outputs * out, range, 43);

  Extent tiles(unsigned side, unsigned columns, unsigned depth) const {
    return {(columns + side - 1) / side, (l.width() + side - 1) / side, depth};
  }
  /// What goes back to element i of the inputs.
  float back(unsigned i) const {
    const unsigned at = i % in, channel = i / in % l.inputs, sample = i / in / l.inputs;
    float sum = 0;
    for (unsigned o = channel / l.depth() * l.width(); o < (channel / l.depth() + 1) * l.width(); ++o) {
      for (unsigned k = 0; k < taps; ++k) {
        for (unsigned p = 0; p < out; ++p) {
          if (tap(l, p, k) != int(at)) continue;
          sum = sum + y[(sample * l.outputs + o) * out + p] * weight[(o * l.depth() + channel % l.depth()) * taps + k];
        }
      }
    }
    return sum;
  }
};

TEST_P(MetalConvolutions, Forward) {
  const Floats bias = drawn(l.outputs, range, 44);
  Floats expected;
  for (unsigned i = 0; i < l.batch * l.outputs * out; ++i) {
    const unsigned p = i % out, channel = i / out % l.outputs, sample = i / out / l.outputs;
    float sum = 0;
    for (unsigned c = 0; c < l.depth(); ++c) {
      for (unsigned k = 0; k < taps; ++k) {
        const int at = tap(l, p, k);
        const std::size_t plane = (sample * l.inputs + channel / l.width() * l.depth() + c) * std::size_t{in};
        sum = sum + (at >= 0 ? x[plane + std::size_t(at)] : 0.0f) * weight[(channel * l.depth() + c) * taps + k];
      }
    }
    expected.push_back(sum + bias[channel]);
  }
  for (const Way& way : ways()) {
    for (const bool small : {false, true}) {
      Kernel kernel(checked(), way, small ? "convolution_conv_small" : "convolution_conv");
      kernel.reads(x).reads(weight).reads(bias).writes(expected.size());
      kernel.run(tiles(small ? small_tile : tile, out, l.batch * l.groups), small ? small_tile_threads : tile_threads,
                 constants_of(l, expected.size()));
      expect_bits(kernel.result(), expected, "convolution_conv");
    }
  }
}

TEST_P(MetalConvolutions, GradientOfWeights) {
  Floats expected;
  for (unsigned i = 0; i < l.outputs * l.depth() * taps; ++i) {
    const unsigned k = i % taps, c = i / taps % l.depth(), channel = i / taps / l.depth();
    float sum = 0;
    for (unsigned n = 0; n < l.batch; ++n) {
      for (unsigned p = 0; p < out; ++p) {
        const int at = tap(l, p, k);
        const std::size_t plane = (n * l.inputs + channel / l.width() * l.depth() + c) * std::size_t{in};
        sum = sum + (at >= 0 ? x[plane + std::size_t(at)] : 0.0f) * y[(n * l.outputs + channel) * out + p];
      }
    }
    expected.push_back(sum);
  }
  for (const Way& way : ways()) {
    for (const bool small : {false, true}) {
      Kernel kernel(checked(), way, small ? "convolution_conv_grad_weight_small" : "convolution_conv_grad_weight");
      kernel.reads(x).reads(y).writes(expected.size());
      kernel.run(tiles(small ? small_tile : tile, l.depth() * taps, l.groups),
                 small ? small_tile_threads : tile_threads, constants_of(l, expected.size()));
      expect_bits(kernel.result(), expected, "convolution_conv_grad_weight");
    }
  }
}

TEST_P(MetalConvolutions, Back) {
  const Floats bias = drawn(l.inputs, range, 45);
  Floats gradient, transposed;
  for (unsigned i = 0; i < x.size(); ++i) {
    gradient.push_back(back(i));
    transposed.push_back(gradient.back() + bias[i / in % l.inputs]);
  }
  for (const Way& way : ways()) {
    Kernel kernel(checked(), way, "convolution_conv_grad_input");
    kernel.reads(y).reads(weight).writes(x.size()).run({3, 1, 1}, 16, constants_of(l, x.size()));
    expect_bits(kernel.result(), gradient, "convolution_conv_grad_input");
    Kernel other(checked(), way, "convolution_conv_transpose");
    other.reads(y).reads(weight).reads(bias).writes(x.size()).run({3, 1, 1}, 16, constants_of(l, x.size()));
    expect_bits(other.result(), transposed, "convolution_conv_transpose");
  }
}

const Layer layers[] = {
    {"plane", 2, 3, 5, 1, {1, 1, 6, 7}, {1, 1, 3, 3}, {1, 1, 1, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}},
    {"strided", 1, 2, 4, 2, {1, 1, 9, 8}, {1, 1, 3, 2}, {1, 1, 2, 3}, {0, 0, 2, 1}, {1, 1, 2, 1}},
    {"line", 3, 1, 2, 1, {1, 1, 1, 21}, {1, 1, 1, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, {1, 1, 1, 3}},
    {"solid", 1, 2, 2, 1, {1, 3, 4, 3}, {1, 2, 2, 3}, {1, 1, 2, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}},
    {"depthwise", 1, 4, 4, 4, {1, 1, 5, 5}, {1, 1, 3, 3}, {1, 1, 1, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}}};

std::string name_of(const testing::TestParamInfo<std::tuple<Layer, Range>>& of) {
  const char* ranges[] = {"ordinary", "tiny", "wild"};
  return std::string(std::get<0>(of.param).name) + "_" + ranges[int(std::get<1>(of.param))];
}
INSTANTIATE_TEST_SUITE_P(Of, MetalConvolutions,
                         testing::Combine(testing::ValuesIn(layers),
                                          testing::Values(Range::ordinary, Range::tiny, Range::wild)),
                         name_of);

}  // namespace
}  // namespace gpusim::msl
