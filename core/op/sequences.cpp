#include <cmath>
#include <numbers>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {
namespace {

Value repeat_to(Value x, const Shape& shape) { return shape_of(x) == shape ? x : broadcast(x, Target{shape}); }

/// What two operands come to whose leading axes broadcast and whose last two are the same.
Shape repeated_shape(Value a, Value b) {
  Message why;
  return rule::broadcast_shape(shape_of(a), shape_of(b), why);
}

/// Attention as the program that it stands for.
struct Attention {
  Factor factor;
  Value scores, mask, weights;

  explicit Attention(std::span<const Value> operands)
      : factor{1 / std::sqrt(static_cast<double>(shape_of(operands[0])[-1]))},
        scores(scale(matmul(operands[0], transpose(operands[1])), factor)),
        mask(repeat_to(operands[3], repeated_shape(scores, operands[3]))),
        weights(hard_masked_softmax(repeat_to(scores, shape_of(mask)), mask)) {}

  /// The gradient for query times key transposed from that for the weights.
  Value gradient_of_products(Value upstream) const {
    const Value allowed = where(mask, upstream, zeros_like(upstream));
    const Value sums = reduce_sum(mul(allowed, weights), Axes{Shape{-1}, true});
    return scale(sum_to(mul(weights, sub(allowed, sums)), shape_of(scores)), factor);
  }
};

/// h0 and all h but the last: what each step started from.
Value previous_states(Value h, Value h0) {
  const Shape shape = shape_of(h);
  const Value all = concat(reshape_to(h0, Shape{1} + shape.from(1)), h, Axis{0});
  return slice(all, Slice{0, 0, shape[0]});
}

}  // namespace

/// The gradients of the program in Attention, operation by operation.
void scaled_dot_product_attention(GradientCall& c) {
  const Value query = c.operands[0], key = c.operands[1], value = c.operands[2];
  const Attention attention(c.operands);
  if (c.wanted[2]) c.gradient[2] = sum_to(matmul(transpose(attention.weights), c.upstream), shape_of(value));
  if (!c.wanted[0] && !c.wanted[1]) return;
  const Value for_weights = sum_to(matmul(c.upstream, transpose(value)), shape_of(attention.weights));
  const Value products = attention.gradient_of_products(for_weights);
  if (c.wanted[0]) c.gradient[0] = sum_to(matmul(products, key), shape_of(query));
  if (c.wanted[1]) c.gradient[1] = sum_to(matmul(transpose(products), query), shape_of(key));
}

/// With g the gradient for h that has come back through all later steps: g_t h_(t-1), g_t x_t, g_t b_t, g_0 a_0.
void selective_scan(GradientCall& c) {
  const Value a = c.operands[0], b = c.operands[1], x = c.operands[2], h0 = c.operands[3];
  const Value g = selective_scan_grad(a, c.upstream);
  if (c.wanted[0]) c.gradient[0] = mul(g, previous_states(c.output, h0));
  if (c.wanted[1]) c.gradient[1] = mul(g, x);
  if (c.wanted[2]) c.gradient[2] = mul(g, b);
  if (!c.wanted[3] || shape_of(a)[0] == 0) return;
  const Slice first{0, 0, 1};
  c.gradient[3] = reshape_to(mul(slice(g, first), slice(a, first)), shape_of(h0));
}

/// For x it is fft_fno by the adjoint matrices.
void fft_fno(GradientCall& c) {
  const Value x = c.operands[0], w_re = c.operands[1], w_im = c.operands[2];
  if (c.wanted[0]) c.gradient[0] = fft_fno(c.upstream, transpose(w_re), neg(transpose(w_im)));
  if (!c.wanted[1] && !c.wanted[2]) return;
  const Value both = fft_fno_grad_weight(x, c.upstream, w_re);
  for (int part = 0; part < 2; ++part)
    if (c.wanted[static_cast<std::size_t>(part + 1)])
      c.gradient[static_cast<std::size_t>(part + 1)] =
          reshape_to(slice(both, Slice{0, part, part + 1}), shape_of(w_re));
}

}  // namespace gradient

namespace reference {
namespace {

/// Row `row` of the matrix that stands where `index` points, leading axes broadcast.
std::span<const double> row_at(const HostArray& x, Index index, int rank, Extent row) {
  index[static_cast<std::size_t>(rank - 2)] = row;
  index[static_cast<std::size_t>(rank - 1)] = 0;
  return std::span(x.values).subspan(position(x.shape, index, rank), last_extent(x.shape));
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The softmax of the scores that the mask allows, in place; zeros if there is none.
void allowed_softmax(std::span<double> scores, std::span<const double> mask) {
  double greatest = -infinity, sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (mask[i] != 0 && (std::isnan(scores[i]) || scores[i] > greatest)) greatest = scores[i];
  for (std::size_t i = 0; i < scores.size(); ++i) sum += scores[i] = mask[i] != 0 ? std::exp(scores[i] - greatest) : 0;
  for (double& score : scores) score = score == 0 ? 0 : score / sum;
}

/// How far one step of the first axis is.
std::size_t step_size(const HostArray& x) { return count(x.shape.from(1)); }

struct Complex {
  double re = 0, im = 0;
};

/// e^(-2 pi i k j / n)
Complex turn(Extent k, Extent j, Extent n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k * j % n) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

Complex mode_of(std::span<const double> x, Extent k) {
  Complex sum;
  const auto n = static_cast<Extent>(x.size());
  for (Extent j = 0; j < n; ++j) {
    const Complex t = turn(k, j, n);
    sum.re += x[static_cast<std::size_t>(j)] * t.re;
    sum.im += x[static_cast<std::size_t>(j)] * t.im;
  }
  return sum;
}

/// How often a mode of n real points stands in their spectrum: its conjugate is another mode, or itself.
double multiplicity(Extent k, Extent n) { return k == 0 || 2 * k == n ? 1 : 2; }

/// Channel `channel` of a sample of x (..., channels, n).
std::span<const double> points_of(const HostArray& x, std::size_t sample, std::size_t channel) {
  const std::size_t n = last_extent(x.shape), channels = static_cast<std::size_t>(x.shape[-2]);
  return std::span(x.values).subspan((sample * channels + channel) * n, n);
}

std::size_t samples_of(const HostArray& x) { return count(x.shape.first(x.shape.rank - 2)); }

/// Adds mode k, times its weights, to one channel of the result.
void add_mode(const ReferenceCall& c, std::size_t sample, std::size_t channel, std::size_t k, std::span<double> out) {
  const Shape& weight = c.operands[1].shape;
  const auto inputs = static_cast<std::size_t>(weight[1]), outputs = static_cast<std::size_t>(weight[2]);
  const auto n = static_cast<Extent>(out.size()), mode = static_cast<Extent>(k);
  Complex y;
  for (std::size_t i = 0; i < inputs; ++i) {
    const Complex x = mode_of(points_of(c.operands[0], sample, i), mode);
    const std::size_t at = (k * inputs + i) * outputs + channel;
    const double re = c.operands[1].values[at], im = c.operands[2].values[at];
    y.re += x.re * re - x.im * im;
    y.im += x.re * im + x.im * re;
  }
  for (Extent j = 0; j < n; ++j) {
    const Complex t = turn(mode, j, n);
    out[static_cast<std::size_t>(j)] += multiplicity(mode, n) * (y.re * t.re + y.im * t.im) / static_cast<double>(n);
  }
}

}  // namespace

void scaled_dot_product_attention(ReferenceCall& c) {
  const HostArray &query = c.operands[0], &key = c.operands[1], &value = c.operands[2], &mask = c.operands[3];
  const Extent keys = key.shape[-2];
  const int rank = c.outputs[0].shape.rank;
  const double root = std::sqrt(static_cast<double>(query.shape[-1]));
  std::vector<double> weights(static_cast<std::size_t>(keys));
  for_each_index(c.outputs[0].shape, [&](const Index& index, std::size_t i) {
    const Extent row = index[static_cast<std::size_t>(rank - 2)];
    for (Extent j = 0; j < keys; ++j)
      weights[static_cast<std::size_t>(j)] =
          product(row_at(query, index, rank, row), row_at(key, index, rank, j)) / root;
    allowed_softmax(weights, row_at(mask, index, rank, row));
    const auto column = static_cast<std::size_t>(index[static_cast<std::size_t>(rank - 1)]);
    double& sum = c.outputs[0].values[i] = 0;
    for (Extent j = 0; j < keys; ++j)
      sum += weights[static_cast<std::size_t>(j)] * row_at(value, index, rank, j)[column];
  });
}

void selective_scan(ReferenceCall& c) {
  const std::size_t step = step_size(c.operands[0]);
  const auto at = [&](std::size_t operand, std::size_t i) { return c.operands[operand].values[i]; };
  std::vector<double>& h = c.outputs[0].values;
  for (std::size_t i = 0; i < h.size(); ++i)
    h[i] = at(0, i) * (i < step ? at(3, i) : h[i - step]) + at(1, i) * at(2, i);
}

void selective_scan_grad(ReferenceCall& c) {
  const std::size_t step = step_size(c.operands[0]);
  const std::vector<double>&a = c.operands[0].values, &upstream = c.operands[1].values;
  std::vector<double>& g = c.outputs[0].values;
  for (std::size_t i = g.size(); i-- > 0;) g[i] = upstream[i] + (i + step < g.size() ? a[i + step] * g[i + step] : 0);
}

void fft_fno(ReferenceCall& c) {
  HostArray& out = c.outputs[0];
  std::ranges::fill(out.values, 0.0);
  const std::size_t n = last_extent(out.shape), channels = static_cast<std::size_t>(out.shape[-2]);
  for (std::size_t sample = 0; sample < samples_of(out); ++sample)
    for (std::size_t channel = 0; channel < channels; ++channel)
      for (std::size_t k = 0; k < static_cast<std::size_t>(c.operands[1].shape[0]); ++k)
        add_mode(c, sample, channel, k, std::span(out.values).subspan((sample * channels + channel) * n, n));
}

void fft_fno_grad_weight(ReferenceCall& c) {
  const HostArray &x = c.operands[0], &upstream = c.operands[1];
  const Shape& weight = c.operands[2].shape;
  const Extent n = x.shape[-1];
  std::vector<double>& out = c.outputs[0].values;
  std::ranges::fill(out, 0.0);
  if (n == 0) return;
  for_each_index(weight, [&](const Index& index, std::size_t at) {
    for (std::size_t sample = 0; sample < samples_of(x); ++sample) {
      const Complex from = mode_of(points_of(x, sample, static_cast<std::size_t>(index[1])), index[0]);
      const Complex above = mode_of(points_of(upstream, sample, static_cast<std::size_t>(index[2])), index[0]);
      const double share = multiplicity(index[0], n) / static_cast<double>(n);
      out[at] += share * (above.re * from.re + above.im * from.im);
      out[at + out.size() / 2] += share * (above.im * from.re - above.re * from.im);
    }
  });
}

}  // namespace reference

namespace cases {
namespace {

/// `allowed` of every four keys; of eight queries one has none.
Case attended(const std::vector<Shape>& operands, std::size_t allowed) {
  Case c = drawn(operands);
  c.name += " allowed " + std::to_string(allowed) + " of 4";
  c.tolerance = 2e-5;
  c.values = {{}, {}, {}, std::vector<double>(count(operands[3]))};
  for (std::size_t i = 0; i < c.values[3].size(); ++i)
    c.values[3][i] = i * 7 % 4 < allowed && i / last_extent(operands[3]) % 8 != 1 ? 1 : 0;
  return c;
}

std::vector<std::vector<Shape>> scans() {
  std::vector<std::vector<Shape>> out;
  for (const Shape& shape : {Shape{5}, Shape{1}, Shape{0}, Shape{7, 3}, Shape{1, 4}, Shape{4, 0}, Shape{0, 3},
                             Shape{3, 2, 5}, Shape{67, 33}, Shape{2, 4099}, Shape{2, 1, 2, 1, 2, 1, 2, 1}})
    out.push_back({shape, shape, shape, shape.from(1)});
  return out;
}

/// Long products of steps stay of the size of their operands.
Case recurrence(const std::vector<Shape>& operands) {
  Case c = drawn(operands);
  c.low = -1, c.high = 1;
  return c;
}

struct Spectrum {
  Shape x, weight;
};

std::vector<Spectrum> spectra() {
  return {{{1, 8}, {3, 1, 1}},       {{2, 8}, {5, 2, 3}},
          {{3, 2, 7}, {4, 2, 2}},    {{2, 1, 1}, {1, 1, 2}},
          {{2, 2}, {2, 2, 1}},       {{2, 3, 2, 6}, {2, 2, 1}},
          {{4, 3, 33}, {9, 3, 5}},   {{0, 2, 8}, {3, 2, 2}},
          {{2, 0, 8}, {3, 0, 2}},    {{2, 2, 8}, {3, 2, 0}},
          {{2, 2, 8}, {0, 2, 3}},    {{2, 3, 0}, {1, 3, 2}},
          {{1, 1, 3}, {2, 1, 1}},    {{2, 2, 12}, {7, 2, 3}},
          {{2, 2, 256}, {16, 2, 2}}, {{1, 1, 1, 1, 2, 1, 2, 5}, {3, 2, 1}}};
}

Case spectral(std::vector<Shape> operands) {
  const Extent points = operands[0][-1];
  Case c = drawn(std::move(operands));
  c.tolerance = points > 100 ? 2e-4 : 2e-5;
  return c;
}

}  // namespace

std::vector<Case> scaled_dot_product_attention() {
  const std::vector<std::vector<Shape>> shapes = {{{3, 4}, {5, 4}, {5, 2}, {3, 5}},
                                                  {{1, 1}, {1, 1}, {1, 1}, {1, 1}},
                                                  {{2, 3, 4}, {2, 5, 4}, {2, 5, 3}, {2, 3, 5}},
                                                  {{2, 3, 4, 8}, {2, 3, 9, 8}, {2, 3, 9, 7}, {4, 9}},
                                                  {{3, 4}, {2, 5, 4}, {5, 2}, {2, 1, 3, 5}},
                                                  {{2, 1, 3, 4}, {3, 5, 4}, {1, 5, 2}, {3, 5}},
                                                  {{4, 3}, {4, 3}, {2, 4, 3}, {4, 4}},
                                                  {{0, 4}, {5, 4}, {5, 2}, {0, 5}},
                                                  {{3, 4}, {0, 4}, {0, 2}, {3, 0}},
                                                  {{3, 4}, {5, 4}, {5, 0}, {3, 5}},
                                                  {{0, 3, 4}, {0, 5, 4}, {0, 5, 2}, {3, 5}},
                                                  {{9, 17}, {65, 17}, {65, 70}, {9, 65}},
                                                  {{1, 1, 1, 1, 1, 2, 3, 2}, {2, 1, 1, 1, 1, 1, 2, 2}, {2, 2}, {3, 2}}};
  std::vector<Case> out;
  for (const auto& operands : shapes)
    for (const std::size_t allowed : {0u, 1u, 3u}) out.push_back(attended(operands, allowed));
  Case none = attended({{2, 0}, {3, 0}, {3, 2}, {2, 3}}, 3);  // 0 / sqrt 0
  none.check_gradient = false;
  out.push_back(none);
  Case steep = attended(shapes[2], 3);
  steep.name = "steep", steep.low = -20, steep.high = 20, steep.tolerance = 1e-4, steep.check_gradient = false;
  out.push_back(steep);
  Case blocked = attended({{1, 1}, {3, 1}, {3, 1}, {1, 3}}, 4);
  blocked.name = "blocked keys do not matter", blocked.check_gradient = false;
  blocked.values = {{1}, {1, not_a_number, infinity}, {1, 2, 3}, {1, 0, 0}};
  out.push_back(blocked);
  return out;
}

std::vector<Case> selective_scan() {
  std::vector<Case> out;
  for (const auto& operands : scans()) out.push_back(recurrence(operands));
  Case c = recurrence({Shape{3}, Shape{3}, Shape{3}, Shape{}});
  c.name = "what is not finite stays", c.check_gradient = false;
  c.values = {{1, 1, 0.5}, {1, 1, 1}, {1, infinity, 2}, {not_a_number}};
  out.push_back(c);
  c.name = "infinite", c.values[3] = {3};
  out.push_back(c);
  return out;
}

std::vector<Case> selective_scan_grad() {
  std::vector<Case> out;
  for (const auto& operands : scans()) out.push_back(recurrence({operands[0], operands[0]}));
  return out;
}

std::vector<Case> fft_fno() {
  std::vector<Case> out;
  for (const Spectrum& s : spectra()) out.push_back(spectral({s.x, s.weight, s.weight}));
  return out;
}

std::vector<Case> fft_fno_grad_weight() {
  std::vector<Case> out;
  for (const Spectrum& s : spectra())
    out.push_back(spectral({s.x, s.x.first(s.x.rank - 2) + Shape{s.weight[2], s.x[-1]}, s.weight}));
  return out;
}

}  // namespace cases
}  // namespace tenon
