// sequences.h: attention, a linear recurrence, and the spectral convolution of Fourier neural operators.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_SEQUENCE_OPS(TENON_OP) \
  TENON_OP(scaled_dot_product_attention, (query, key, value, mask), (), (), NoAttributes, plain, "hard_masked_softmax(query times key transposed / sqrt d, mask) times value: (..., q, d), (..., k, d), (..., k, v), (..., q, k) is (..., q, v); leading axes broadcast; no gradient for mask") \
  TENON_OP(selective_scan, (a, b, x, h0), (), (), NoAttributes, plain, "h_t = a_t h_(t-1) + b_t x_t along the first axis, from h0; all h") \
  TENON_OP(selective_scan_grad, (a, upstream), (), (), NoAttributes, internal, "g_t = upstream_t + a_(t+1) g_(t+1) along the first axis, from its end") \
  TENON_OP(fft_fno, (x, w_re, w_im), (), (), NoAttributes, plain, "(..., in, n) by (modes, in, out) is (..., out, n): the first Fourier modes of the last axis, in to out channels by a complex matrix each, transformed back / n") \
  TENON_OP(fft_fno_grad_weight, (x, upstream, weight), (), (), NoAttributes, internal, "fft_fno's gradients for w_re and w_im, stacked; of weight, either of them, the shape alone matters")
// clang-format on

namespace tenon::rule {

/// The leading axes, all but the last two, repeated to one shape.
constexpr Shape leading_axes(In in, Message& why) {
  Shape out;
  for (const Shape& next : in)
    if (why.empty()) out = broadcast_shape(out, next.first(next.rank - 2), why);
  return out;
}

constexpr Shape scaled_dot_product_attention(In in, const Attributes&, Message& why) {
  const Shape &query = in[0], &key = in[1], &value = in[2], &mask = in[3];
  for (const Shape& operand : in)
    if (operand.rank < 2) return refuse(why, "all operands need rank 2 or more");
  if (!agree(query[-1], key[-1])) return refuse(why, "query has ", query[-1], " features, key has ", key[-1]);
  if (!agree(key[-2], value[-2])) return refuse(why, "found ", key[-2], " keys and ", value[-2], " values");
  const Shape expected{query[-2], meet(key[-2], value[-2])};
  if (!agree(expected, mask.from(mask.rank - 2)))
    return refuse(why, "mask must end in ", expected, ": one for each query and key");
  const Shape leading = leading_axes(in, why);
  return leading + Shape{meet(query[-2], mask[-2]), value[-1]};
}

constexpr Shape selective_scan(In in, const Attributes& attributes, Message& why) {
  if (in[0].rank == 0) return refuse(why, "a scalar has no first axis");
  const Shape out = alike(in.first(3), attributes, why);
  if (!why.empty()) return {};
  const Shape expected = out.from(1);
  if (!agree(expected, in[3])) return refuse(why, "h0 must have shape ", expected);
  return out.first(1) + meet_shape(expected, in[3]);
}

constexpr Shape selective_scan_grad(In in, const Attributes& attributes, Message& why) {
  return in[0].rank == 0 ? refuse(why, "a scalar has no first axis") : alike(in, attributes, why);
}

/// Has the spectrum of n real points that many modes, n / 2 + 1 at most? A named extent is any number from 1 on.
constexpr bool has_modes(Extent n, Extent modes) {
  if (n == dyn || modes == dyn) return true;
  return is_known(modes) && modes <= (is_named(n) ? 1 : n) / 2 + 1;
}

/// False, and words, unless `weight` can be that of x.
constexpr bool takes_modes(const Shape& x, const Shape& weight, Message& why) {
  if (x.rank < 2 || weight.rank != 3)
    refuse(why, "expected (..., in, n) and (modes, in, out)");
  else if (!agree(x[-2], weight[1]))
    refuse(why, "x has ", x[-2], " channels, the weights take ", weight[1]);
  else if (!has_modes(x[-1], weight[0]))
    refuse(why, x[-1], " points have fewer than ", weight[0], " modes: expected n / 2 + 1 at most");
  return why.empty();
}

constexpr Shape fft_fno(In in, const Attributes& attributes, Message& why) {
  const Shape &x = in[0], weight = alike(in.subspan(1), attributes, why);
  if (!why.empty() || !takes_modes(x, weight, why)) return {};
  return x.first(x.rank - 2) + Shape{weight[2], x[-1]};
}

constexpr Shape fft_fno_grad_weight(In in, const Attributes&, Message& why) {
  const Shape &x = in[0], &weight = in[2];
  if (!takes_modes(x, weight, why)) return {};
  const Shape expected = x.first(x.rank - 2) + Shape{weight[2], x[-1]};
  if (!agree(expected, in[1])) return refuse(why, "upstream must have shape ", expected);
  return Shape{2} + weight;
}

}  // namespace tenon::rule
