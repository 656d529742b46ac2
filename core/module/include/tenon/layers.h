// layers.h: the models that others are made of, each with the initialisers that it asks for where no plan is given.
#pragma once
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

}  // namespace tenon
