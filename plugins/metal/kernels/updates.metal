// One step of an optimizer. Quantities that are the same for all elements are computed by the host, and stand in
// `numbers` in the order of constants.h.
#include "exact.h"

using namespace tenon_metal;

namespace tenon_metal {

/// What an element has besides its gradient: the parameter, and the optimizer's states for it.
struct Own {
  real parameter, state, more;
};

inline real number_of(constant Update& shape, uint i) { return real_from(shape.numbers[i]); }
inline real decayed(real gradient, real by, real parameter) {
  return by == real_of(0u) ? gradient : gradient + by * parameter;
}

struct Sgd {
  real rate;
  Own step(Own own, real g) const {
    own.parameter = own.parameter - rate * g;
    return own;
  }
};
struct Momentum {
  real rate, momentum;
  Own step(Own own, real g) const {
    own.state = momentum * own.state + g;
    own.parameter = own.parameter - rate * own.state;
    return own;
  }
};
/// `own.parameter` has what decay does to it.
struct Moments {
  real first, beta2, second, epsilon, step_size, correction;
  Own step(Own own, real g) const {
    own.state = own.state + first * (g - own.state);
    own.more = beta2 * own.more + (second * g) * g;
    const real denominator = divide_strictly(strict_sqrt(own.more), correction) + epsilon;
    own.parameter = own.parameter - divide_strictly(step_size * own.state, denominator);
    return own;
  }
};
inline Moments moments_of(constant Update& shape) {
  const Moments moments = {number_of(shape, 0u), number_of(shape, 1u), number_of(shape, 2u),
                           number_of(shape, 3u), number_of(shape, 4u), number_of(shape, 5u)};
  return moments;
}
struct Adam {
  Moments moments;
  real decay;
  Own step(Own own, real g) const { return moments.step(own, decayed(g, decay, own.parameter)); }
};
struct Adamw {
  Moments moments;
  real shrinking;
  Own step(Own own, real g) const {
    own.parameter = own.parameter * shrinking;
    return moments.step(own, g);
  }
};
struct Adagrad {
  real rate, epsilon, decay;
  Own step(Own own, real g) const {
    g = decayed(g, decay, own.parameter);
    own.state = own.state + g * g;
    own.parameter = own.parameter - divide_strictly(rate * g, strict_sqrt(own.state) + epsilon);
    return own;
  }
};
struct Rmsprop {
  real rate, alpha, rest, epsilon, decay;
  Own step(Own own, real g) const {
    g = decayed(g, decay, own.parameter);
    own.state = alpha * own.state + (rest * g) * g;
    own.parameter = own.parameter - divide_strictly(rate * g, strict_sqrt(own.state) + epsilon);
    return own;
  }
};
struct Adadelta {
  real rate, rho, rest, epsilon, decay;
  Own step(Own own, real g) const {
    g = decayed(g, decay, own.parameter);
    own.state = rho * own.state + (rest * g) * g;
    const real delta = divide_strictly(strict_sqrt(own.more + epsilon), strict_sqrt(own.state + epsilon)) * g;
    own.more = rho * own.more + (rest * delta) * delta;
    own.parameter = own.parameter - rate * delta;
    return own;
  }
};

/// Each element is read before its place is written, so results may stand in the operands' storage.
template <class Rule>
inline void update(const Rule rule, device const uint* parameters, device const uint* gradients,
                   device uint* new_parameters, uint count, uint thread_number, uint thread_count) {
  TENON_FOR_EACH_QUAD(i, count) {
    uint4 p = load_quad(parameters, i, count);
    const uint4 g = load_quad(gradients, i, count);
    for (uint e = 0u; e < 4u; ++e) {
      const Own own = {real_of(p[e]), real_of(0u), real_of(0u)};
      p[e] = bits(rule.step(own, real_of(g[e])).parameter);
    }
    store_quad(new_parameters, i, count, p);
  }
}
template <class Rule>
inline void update(const Rule rule, device const uint* parameters, device const uint* gradients,
                   device const uint* states, device uint* new_parameters, device uint* new_states, uint count,
                   uint thread_number, uint thread_count) {
  TENON_FOR_EACH_QUAD(i, count) {
    uint4 p = load_quad(parameters, i, count), s = load_quad(states, i, count);
    const uint4 g = load_quad(gradients, i, count);
    for (uint e = 0u; e < 4u; ++e) {
      Own own = {real_of(p[e]), real_of(s[e]), real_of(0u)};
      own = rule.step(own, real_of(g[e]));
      p[e] = bits(own.parameter);
      s[e] = bits(own.state);
    }
    store_quad(new_parameters, i, count, p);
    store_quad(new_states, i, count, s);
  }
}
template <class Rule>
inline void update(const Rule rule, device const uint* parameters, device const uint* gradients,
                   device const uint* states, device const uint* more_states, device uint* new_parameters,
                   device uint* new_states, device uint* new_more_states, uint count, uint thread_number,
                   uint thread_count) {
  TENON_FOR_EACH_QUAD(i, count) {
    uint4 p = load_quad(parameters, i, count), s = load_quad(states, i, count), m = load_quad(more_states, i, count);
    const uint4 g = load_quad(gradients, i, count);
    for (uint e = 0u; e < 4u; ++e) {
      Own own = {real_of(p[e]), real_of(s[e]), real_of(m[e])};
      own = rule.step(own, real_of(g[e]));
      p[e] = bits(own.parameter);
      s[e] = bits(own.state);
      m[e] = bits(own.more);
    }
    store_quad(new_parameters, i, count, p);
    store_quad(new_states, i, count, s);
    store_quad(new_more_states, i, count, m);
  }
}

}  // namespace tenon_metal

kernel void updates_sgd(device const uint* parameters [[buffer(0)]], device const uint* gradients [[buffer(1)]],
                        device uint* new_parameters [[buffer(2)]], constant Update& shape [[buffer(3)]], TENON_THREAD) {
  const Sgd rule = {number_of(shape, 0u)};
  update(rule, parameters, gradients, new_parameters, shape.count, thread_number, thread_count);
}

#define TENON_ONE_STATE(op, Rule, ...)                                                                                 \
  kernel void updates_##op(device const uint* parameters [[buffer(0)]], device const uint* gradients [[buffer(1)]],    \
                           device const uint* states [[buffer(2)]], device uint* new_parameters [[buffer(3)]],         \
                           device uint* new_states [[buffer(4)]], constant Update& shape [[buffer(5)]],                \
                           TENON_THREAD) {                                                                             \
    const Rule rule = {__VA_ARGS__};                                                                                   \
    update(rule, parameters, gradients, states, new_parameters, new_states, shape.count, thread_number, thread_count); \
  }
#define TENON_TWO_STATES(op, Rule, ...)                                                                                \
  kernel void updates_##op(device const uint* parameters [[buffer(0)]], device const uint* gradients [[buffer(1)]],    \
                           device const uint* states [[buffer(2)]], device const uint* more_states [[buffer(3)]],      \
                           device uint* new_parameters [[buffer(4)]], device uint* new_states [[buffer(5)]],           \
                           device uint* new_more_states [[buffer(6)]], constant Update& shape [[buffer(7)]],           \
                           TENON_THREAD) {                                                                             \
    const Rule rule = {__VA_ARGS__};                                                                                   \
    update(rule, parameters, gradients, states, more_states, new_parameters, new_states, new_more_states, shape.count, \
           thread_number, thread_count);                                                                               \
  }
#define TENON_NUMBERS_3 number_of(shape, 0u), number_of(shape, 1u), number_of(shape, 2u)
#define TENON_NUMBERS_5 TENON_NUMBERS_3, number_of(shape, 3u), number_of(shape, 4u)

TENON_ONE_STATE(momentum, Momentum, number_of(shape, 0u), number_of(shape, 1u))
TENON_ONE_STATE(adagrad, Adagrad, TENON_NUMBERS_3)
TENON_ONE_STATE(rmsprop, Rmsprop, TENON_NUMBERS_5)
TENON_TWO_STATES(adadelta, Adadelta, TENON_NUMBERS_5)
TENON_TWO_STATES(adam, Adam, moments_of(shape), number_of(shape, 6u))
TENON_TWO_STATES(adamw, Adamw, moments_of(shape), number_of(shape, 6u))
