// layers.h: the models that others are made of, each with the initialisers that it asks for where no plan is given.
//
// Parameters and states are named as in PyTorch.
#pragma once
#include "tenon/batch_statistics.h"
#include "tenon/init_builders.h"
#include "tenon/model.h"
#include "tenon/typed_ops.h"

namespace tenon {

/// (..., in) to (..., out), with a bias.
template <Extent in, Extent out>
struct Linear {
  Tensor<out, in> weight;
  Tensor<out> bias;

  auto operator()(const Operand auto& x) const { return linear(x, weight, bias); }

  /// One for each parameter, in order.
  static constexpr std::array schemes{Scheme::kaiming_uniform, Scheme::zeros};
};

/// (batch, in, height, width) to (batch, out, ...): `Conv2d<1, 4, 3, Square{.padding = 1}>`. A Window will do too.
template <Extent in, Extent out, Extent kernel, auto window = Square{}>
struct Conv2d {
  static constexpr Extent groups = window.groups;
  static_assert(groups > 0 && in % groups == 0, "[Conv2d] groups divide the channels");

  Tensor<out, in / groups, kernel, kernel> weight;
  Tensor<out> bias;

  auto operator()(const Operand auto& x) const { return conv2d<window>(x, weight, bias); }

  static constexpr std::array schemes{Scheme::kaiming_uniform, Scheme::zeros};
};

/// (..., n) to itself: each row of n gets mean 0 and variance 1, then a scale and a shift that are learnt.
template <Extent n>
struct LayerNorm {
  Tensor<n> weight, bias;

  auto operator()(const Operand auto& x) const { return layer_norm(x, weight, bias); }

  static constexpr std::array schemes{Scheme::ones, Scheme::zeros};
};

/// (batch, n, ...) to itself: each channel gets mean 0 and variance 1, over the batch in training, over what training
/// has seen in evaluation; then a scale and a shift that are learnt.
template <Extent n>
struct BatchNorm {
  Tensor<n> weight, bias;
  State<n> running_mean;
  StateOf<Shape{n}, 1> running_var;

  auto operator()(const Operand auto& x) const {
    const auto [mean, variance] = batch_statistics(Value(x), running_mean.value, running_var.value);
    return batch_norm(x, Tensor<n>(mean), Tensor<n>(variance), weight, bias);
  }
  Poison operator()(Poison) const { return {}; }

  static constexpr std::array schemes{Scheme::ones, Scheme::zeros};
};

/// A row for each of `rows` ids: (...) natural numbers to (..., width).
template <Extent rows, Extent width>
struct Embedding {
  Tensor<rows, width> weight;

  auto operator()(const Operand auto& ids) const { return gather(weight, ids); }

  static constexpr std::array schemes{Scheme::normal};
};

}  // namespace tenon
