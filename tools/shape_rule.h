// shape_rule.h: the shape rule of every operation, in words. The rules themselves are beside the rows of the table; the
// compiler refuses this file when an operation is missing. Pure; any thread.
#pragma once
#include <string_view>

#include "tenon/op.h"

namespace tenon {

constexpr std::string_view shape_rule(Op op) {
  switch (op) {
#define TENON_OP_CASE(name, ...) case Op::name:
    TENON_ELEMENTWISE_OPS(TENON_OP_CASE)
    return "all operands and the result have one shape";
    TENON_UPDATE_OPS(TENON_OP_CASE)
    return "all operands and all results have one shape";
    TENON_SOURCE_OPS(TENON_OP_CASE)
    return "the attribute shape";
#undef TENON_OP_CASE
    case Op::softmax:
    case Op::log_softmax:
      return "x's shape, which has a last axis";
    case Op::hard_masked_softmax:
      return "x and mask have one shape, with a last axis; it is the result's";
    case Op::layer_norm:
      return "x's shape; weight and bias have one number for each element of its last axis";
    case Op::batch_norm:
      return "x's shape, (batch, channels, ...); the vectors have one number for each channel";
    case Op::reduce_sum:
    case Op::reduce_mean:
    case Op::reduce_max:
      return "x's shape without the axes named, all where none is; with keep_dims they stay with extent 1";
    case Op::reduce_max_grad:
      return "x's shape; y and upstream have that of reduce_max(x)";
    case Op::reshape:
      return "the attribute shape, with as many elements as x";
    case Op::flatten:
      return "x's shape, in which the axes first to last are one of as many elements; negative axes count from the end";
    case Op::unflatten:
      return "x's shape, in which the attribute shape stands in the place of axis, with as many elements";
    case Op::permute:
      return "axis i of the result is x's axis axes[i]; each axis is named once, negative ones count from the end";
    case Op::broadcast:
      return "the attribute shape; each of x's axes, from the last on, has extent 1 or that of the result";
    case Op::concat:
      return "left's shape with the extents of both along axis; the other extents agree";
    case Op::slice:
      return "x's shape, with the elements start to stop - 1 along axis";
    case Op::gather:
      return "x's shape, in which the axes of indices stand in the place of axis";
    case Op::scatter_add:
      return "x's shape; values has that of gather(x, indices)";
    case Op::matmul:
      return "(..., m, k) by (..., k, n) is (..., m, n); leading axes of extent 1, and missing ones, repeat";
    case Op::linear:
      return "(..., in), (out, in), (out) is (..., out)";
    case Op::conv:
      return "(batch, in, spatial...), (out, in / groups, kernel...), (out) is (batch, out, spatial...), each spatial "
             "extent (size + 2 padding - dilation (kernel - 1) - 1) / stride + 1, rounded down";
    case Op::conv_transpose:
      return "(batch, in, spatial...), (in, out / groups, kernel...), (out) is (batch, out, spatial...), each spatial "
             "extent (size - 1) stride - 2 padding + dilation (kernel - 1) + 1";
    case Op::conv_grad_input:
      return "x's shape; upstream has that of conv's result";
    case Op::conv_grad_weight:
      return "weight's shape; upstream has that of conv's result";
    case Op::max_pool:
    case Op::avg_pool:
    case Op::smooth_max_pool:
      return "(batch, channels, spatial...) keeps its first two axes; each spatial extent becomes "
             "(size + 2 padding - kernel) / stride + 1, rounded down";
    case Op::max_pool_grad:
    case Op::avg_pool_grad:
    case Op::smooth_max_pool_grad:
      return "x's shape; upstream has that of the pool's result";
    case Op::scaled_dot_product_attention:
      return "(..., q, d), (..., k, d), (..., k, v), (..., q, k) is (..., q, v); leading axes repeat";
    case Op::selective_scan:
      return "a, b and x have one shape, which is the result's; h0 has it without the first axis";
    case Op::selective_scan_grad:
      return "a and upstream have one shape, with a first axis; it is the result's";
    case Op::fft_fno:
      return "(..., in, n) by two of (modes, in, out) is (..., out, n), with n / 2 + 1 modes at most";
    case Op::fft_fno_grad_weight:
      return "2, then weight's shape; upstream has that of fft_fno's result";
    case Op::mse_loss:
      return "prediction and target have one shape; the result is a scalar";
    case Op::cross_entropy:
      return "(..., classes) and (...) is a scalar";
    case Op::cross_entropy_grad:
      return "logits' shape, (..., classes); upstream is a scalar, labels (...)";
  }
  return {};
}

}  // namespace tenon
