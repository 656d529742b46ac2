// update_rules.h: one step of an optimizer for one element; PyTorch's single-tensor formulas, docs/numerics.md's bits.
//
// A step holds what does not depend on the element; the host computes it for each launch. Its call operator gets the
// element's values by reference and changes those that are also results. Values; any thread.
#pragma once
#include "tenon/numerics.h"

namespace tenon::gpu {

/// The gradient with weight decay, which leaves it alone where it is 0.
template <class T>
TENON_DEVICE_FN T decayed(T gradient, T decay, T parameter) {
  return decay == 0 ? gradient : gradient + decay * parameter;
}

template <class T>
struct SgdStep {
  T rate;
  TENON_DEVICE_FN void operator()(T& parameter, T gradient) const { parameter = parameter - rate * gradient; }
};

template <class T>
struct MomentumStep {
  T rate, momentum;
  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& velocity) const {
    velocity = momentum * velocity + gradient;
    parameter = parameter - rate * velocity;
  }
};

/// What adam and adamw share: the moments m and v, and the step along them.
template <class T>
struct Moments {
  T first, beta2, second, epsilon;  // first = 1 - beta1, second = 1 - beta2
  T step_size, correction;          // rate / (1 - beta1^step), sqrt(1 - beta2^step)

  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& m, T& v) const {
    m = m + first * (gradient - m);
    v = beta2 * v + (second * gradient) * gradient;
    const T denominator = strict::sqrt(v) / correction + epsilon;
    parameter = parameter - (step_size * m) / denominator;
  }
};

template <class T>
struct AdamStep {
  Moments<T> moments;
  T decay;
  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& m, T& v) const {
    moments(parameter, decayed(gradient, decay, parameter), m, v);
  }
};

template <class T>
struct AdamwStep {
  Moments<T> moments;
  T shrink;  // 1 - rate * decay
  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& m, T& v) const {
    parameter = parameter * shrink;
    moments(parameter, gradient, m, v);
  }
};

template <class T>
struct AdagradStep {
  T rate, epsilon, decay;
  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& sum) const {
    const T g = decayed(gradient, decay, parameter);
    sum = sum + g * g;
    parameter = parameter - (rate * g) / (strict::sqrt(sum) + epsilon);
  }
};

template <class T>
struct RmspropStep {
  T rate, alpha, rest, epsilon, decay;  // rest = 1 - alpha
  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& square_average) const {
    const T g = decayed(gradient, decay, parameter);
    square_average = alpha * square_average + (rest * g) * g;
    parameter = parameter - (rate * g) / (strict::sqrt(square_average) + epsilon);
  }
};

template <class T>
struct AdadeltaStep {
  T rate, rho, rest, epsilon, decay;  // rest = 1 - rho
  TENON_DEVICE_FN void operator()(T& parameter, T gradient, T& square_average, T& delta_average) const {
    const T g = decayed(gradient, decay, parameter);
    square_average = rho * square_average + (rest * g) * g;
    const T delta = strict::sqrt(delta_average + epsilon) / strict::sqrt(square_average + epsilon) * g;
    delta_average = rho * delta_average + (rest * delta) * delta;
    parameter = parameter - rate * delta;
  }
};

}  // namespace tenon::gpu
