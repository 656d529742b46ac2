#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {
namespace {

const Window& window_of(const GradientCall& c) { return std::get<Window>(c.attributes); }

}  // namespace

void conv(GradientCall& c) {
  const Value x = c.operands[0], weight = c.operands[1];
  if (c.wanted[0]) c.gradient[0] = conv_grad_input(x, weight, c.upstream, window_of(c));
  if (c.wanted[1]) c.gradient[1] = conv_grad_weight(x, weight, c.upstream, window_of(c));
  if (c.wanted[2]) c.gradient[2] = sum_of_channels(c.upstream);
}

/// Upstream stands where a convolution has its x, and x where that one has its upstream.
void conv_transpose(GradientCall& c) {
  const Value x = c.operands[0], weight = c.operands[1];
  const Shape channels{shape_of(x)[1]};
  if (c.wanted[0]) c.gradient[0] = conv(c.upstream, weight, fill(*x.recorder, Constant{channels, 0}), window_of(c));
  if (c.wanted[1]) c.gradient[1] = conv_grad_weight(c.upstream, weight, x, window_of(c));
  if (c.wanted[2]) c.gradient[2] = sum_of_channels(c.upstream);
}

}  // namespace gradient

namespace reference {
namespace {

/// Where a convolution's output and kernel elements meet its input: false in the padding.
bool meets(const Index& output, const Index& kernel, const Window& window, const Shape& input, Index& at) {
  for (int axis = 2; axis < input.rank; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const rule::Sweep sweep = rule::sweep_of(window, input.from(2), axis - 2);  // the kernel's extent does not matter
    at[i] = output[i] * sweep.stride + kernel[i] * sweep.dilation - sweep.padding;
    if (at[i] < 0 || at[i] >= input[axis]) return false;
  }
  return true;
}

/// Calls visit(element of input, of weight, of output) for each product of the convolution from input to output.
template <class Visit>
void for_each_product(const ReferenceCall& c, const Shape& input, const Shape& weight, const Shape& output,
                      Visit visit) {
  const Window& window = std::get<Window>(c.attributes);
  const Extent outputs_per_group = output[1] / window.groups;
  Shape taps = weight;
  taps[0] = 1;
  for_each_index(output, [&](const Index& to, std::size_t o) {
    for_each_index(taps, [&](Index tap, std::size_t) {
      Index from{to[0], to[1] / outputs_per_group * weight[1] + tap[1]};
      tap[0] = to[1];
      if (!meets(to, tap, window, input, from)) return;
      visit(position(input, from, input.rank), position(weight, tap, weight.rank), o);
    });
  });
}

/// Every element starts as the bias of its channel.
void start_with(HostArray& out, const HostArray& bias) {
  for_each_index(out.shape, [&](const Index& index, std::size_t i) {
    out.values[i] = bias.values[static_cast<std::size_t>(index[1])];
  });
}

}  // namespace

void conv(ReferenceCall& c) {
  const HostArray &x = c.operands[0], &weight = c.operands[1];
  HostArray& out = c.outputs[0];
  start_with(out, c.operands[2]);
  for_each_product(c, x.shape, weight.shape, out.shape, [&](std::size_t i, std::size_t w, std::size_t o) {
    out.values[o] += x.values[i] * weight.values[w];
  });
}

void conv_transpose(ReferenceCall& c) {
  const HostArray &x = c.operands[0], &weight = c.operands[1];
  HostArray& out = c.outputs[0];
  start_with(out, c.operands[2]);
  for_each_product(c, out.shape, weight.shape, x.shape, [&](std::size_t i, std::size_t w, std::size_t o) {
    out.values[i] += x.values[o] * weight.values[w];
  });
}

void conv_grad_input(ReferenceCall& c) {
  const HostArray &weight = c.operands[1], &upstream = c.operands[2];
  HostArray& out = c.outputs[0];
  std::ranges::fill(out.values, 0.0);
  for_each_product(c, out.shape, weight.shape, upstream.shape, [&](std::size_t i, std::size_t w, std::size_t o) {
    out.values[i] += upstream.values[o] * weight.values[w];
  });
}

void conv_grad_weight(ReferenceCall& c) {
  const HostArray &x = c.operands[0], &upstream = c.operands[2];
  HostArray& out = c.outputs[0];
  std::ranges::fill(out.values, 0.0);
  for_each_product(c, x.shape, out.shape, upstream.shape, [&](std::size_t i, std::size_t w, std::size_t o) {
    out.values[w] += x.values[i] * upstream.values[o];
  });
}

}  // namespace reference

namespace cases {
namespace {

/// A convolution from x by weight.
struct Example {
  Shape x, weight;
  Window window{};
};

/// One to six spatial axes, no samples, no channels, one element; each number of a window, alone and together.
std::vector<Example> examples() {
  return {{{2, 3, 7}, {4, 3, 3}},
          {{2, 3, 5, 6}, {4, 3, 3, 2}},
          {{1, 1, 1, 1}, {1, 1, 1, 1}},
          {{0, 3, 5, 5}, {4, 3, 3, 3}},
          {{2, 0, 5, 5}, {4, 0, 3, 3}},
          {{2, 3, 5, 5}, {0, 3, 3, 3}},
          {{1, 2, 4, 4}, {3, 2, 3, 3}, {.stride{}, .padding{1, 1}, .dilation{}}},
          {{1, 2, 8, 7}, {3, 2, 3, 2}, {.stride{3, 2}, .padding{}, .dilation{}}},
          {{1, 2, 8, 7}, {3, 2, 3, 2}, {.stride{}, .padding{}, .dilation{2, 3}}},
          {{1, 4, 4, 4}, {6, 2, 2, 2}, {.stride{}, .padding{}, .dilation{}, .groups = 2}},
          {{2, 3, 4, 4}, {3, 1, 3, 3}, {.stride{}, .padding{1, 1}, .dilation{}, .groups = 3}},
          {{2, 4, 9, 8}, {6, 2, 3, 3}, {.stride{2, 3}, .padding{1, 2}, .dilation{2, 1}, .groups = 2}},
          {{1, 1, 2}, {1, 1, 3}, {.stride{}, .padding = Shape{4}, .dilation{}}},
          {{1, 2, 3, 4, 3}, {2, 2, 2, 3, 2}, {.stride{1, 2, 1}, .padding{0, 1, 1}, .dilation{}}},
          {{1, 1, 2, 2, 2, 1, 2, 2}, {2, 1, 2, 1, 2, 1, 2, 1}},
          {{2, 5, 17, 19}, {7, 5, 3, 3}, {.stride{}, .padding{1, 1}, .dilation{}}}};
}

/// Folds of up to a thousand products around 1. Central differences of the large ones take long and show nothing new.
Case sized(Case c) {
  c.tolerance = 1e-4;
  c.check_gradient = elements(c.operands[0]) < 1000;
  return c;
}

Shape output_of(const Example& e) {
  Message why;
  const Shape operands[] = {e.x, e.weight, Shape{e.weight[0]}};
  return rule::conv(operands, e.window, why);
}

/// The gradients' cases: x, weight, upstream.
std::vector<Case> gradient_cases() {
  std::vector<Case> out;
  for (const Example& e : examples()) out.push_back(sized(drawn({e.x, e.weight, output_of(e)}, e.window)));
  return out;
}

}  // namespace

std::vector<Case> conv() {
  std::vector<Case> out;
  for (const Example& e : examples()) out.push_back(sized(drawn({e.x, e.weight, Shape{e.weight[0]}}, e.window)));
  return out;
}

/// From where those convolutions end to where they begin, or as near as their strides let them.
std::vector<Case> conv_transpose() {
  std::vector<Case> out;
  for (const Example& e : examples()) out.push_back(sized(drawn({output_of(e), e.weight, Shape{e.x[1]}}, e.window)));
  return out;
}

std::vector<Case> conv_grad_input() { return gradient_cases(); }
std::vector<Case> conv_grad_weight() { return gradient_cases(); }

}  // namespace cases
}  // namespace tenon
