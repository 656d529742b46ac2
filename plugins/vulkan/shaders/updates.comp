// One step of an optimizer. Quantities that are the same for all elements are computed by the host.
// entry sgd STATES=0 ENTRY_SGD
// entry momentum STATES=1 ENTRY_MOMENTUM
// entry adam STATES=2 ENTRY_ADAM
// entry adamw STATES=2 ENTRY_ADAMW
// entry adagrad STATES=1 ENTRY_ADAGRAD
// entry rmsprop STATES=1 ENTRY_RMSPROP
// entry adadelta STATES=2 ENTRY_ADADELTA
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push {
  uint count;
#if defined(ENTRY_SGD)
  real rate;
#elif defined(ENTRY_MOMENTUM)
  real rate, momentum;
#elif defined(ENTRY_ADAM) || defined(ENTRY_ADAMW)
  real first, beta2, second, epsilon, step_size, correction, decay;  // adamw: decay is what the parameter shrinks by
#elif defined(ENTRY_ADAGRAD)
  real rate, epsilon, decay;
#elif defined(ENTRY_RMSPROP) || defined(ENTRY_ADADELTA)
  real rate, alpha, rest, epsilon, decay;
#endif
};

READS(0, parameters);
READS(1, gradients);
#if STATES == 0
WRITES(2, new_parameters);
#elif STATES == 1
READS(2, states);
WRITES(3, new_parameters);
WRITES(4, new_states);
#else
READS(2, states);
READS(3, more_states);
WRITES(4, new_parameters);
WRITES(5, new_states);
WRITES(6, new_more_states);
#endif

real decayed(real gradient, real by, real parameter) { return opaque(by) == real(0) ? gradient : gradient + by * parameter; }

void main() {
  FOR_EACH(i, count) {
    real parameter = parameters[i];
    real g = gradients[i];
#if defined(ENTRY_SGD)
    parameter = parameter - rate * g;
#elif defined(ENTRY_MOMENTUM)
    const real velocity = momentum * states[i] + g;
    parameter = parameter - rate * velocity;
    new_states[i] = velocity;
#elif defined(ENTRY_ADAM) || defined(ENTRY_ADAMW)
#if defined(ENTRY_ADAM)
    g = decayed(g, decay, parameter);
#else
    parameter = parameter * decay;
#endif
    const real m = states[i] + first * (g - states[i]);
    const real v = beta2 * more_states[i] + (second * g) * g;
    const real denominator = divide_strictly(strict_sqrt(v), correction) + epsilon;
    parameter = parameter - divide_strictly(step_size * m, denominator);
    new_states[i] = m;
    new_more_states[i] = v;
#elif defined(ENTRY_ADAGRAD)
    g = decayed(g, decay, parameter);
    const real sum = states[i] + g * g;
    parameter = parameter - divide_strictly(rate * g, strict_sqrt(sum) + epsilon);
    new_states[i] = sum;
#elif defined(ENTRY_RMSPROP)
    g = decayed(g, decay, parameter);
    const real square_average = alpha * states[i] + (rest * g) * g;
    parameter = parameter - divide_strictly(rate * g, strict_sqrt(square_average) + epsilon);
    new_states[i] = square_average;
#elif defined(ENTRY_ADADELTA)
    g = decayed(g, decay, parameter);
    const real square_average = alpha * states[i] + (rest * g) * g;
    const real delta =
        divide_strictly(strict_sqrt(more_states[i] + epsilon), strict_sqrt(square_average + epsilon)) * g;
    new_more_states[i] = alpha * more_states[i] + (rest * delta) * delta;
    new_states[i] = square_average;
    parameter = parameter - rate * delta;
#endif
    new_parameters[i] = parameter;
  }
}
