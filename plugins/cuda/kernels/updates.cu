// Updates: one step of an optimizer for one parameter. Results are the operands but the gradient, in order, and may
// stand in their places: each element is read before it is written.
#include "pack.h"
#include "update_rules.h"

namespace tenon::gpu {
namespace {

template <class T, class Step, class... State>
TENON_DEVICE void step_pack(const Step& step, Pack<T>& parameter, const Pack<T>& gradient, State&... states) {
#pragma unroll
  for (unsigned i = 0; i < Pack<T>::width; ++i) step(parameter.at[i], gradient.at[i], states.at[i]...);
}

template <class T, class Step>
TENON_DEVICE void update(const Step& step, std::uint64_t n, T* new_parameters, const T* parameters,
                         const T* gradients) {
  for_my_pack<T>(
      n,
      [&](std::uint64_t pack) {
        Pack<T> parameter = load_pack(parameters, pack);
        step_pack(step, parameter, load_pack(gradients, pack));
        store_pack(new_parameters, pack, parameter);
      },
      [&](std::uint64_t i) {
        T parameter = parameters[i];
        step(parameter, gradients[i]);
        new_parameters[i] = parameter;
      });
}

template <class T, class Step>
TENON_DEVICE void update(const Step& step, std::uint64_t n, T* new_parameters, T* new_states, const T* parameters,
                         const T* gradients, const T* states) {
  for_my_pack<T>(
      n,
      [&](std::uint64_t pack) {
        Pack<T> parameter = load_pack(parameters, pack), state = load_pack(states, pack);
        step_pack(step, parameter, load_pack(gradients, pack), state);
        store_pack(new_parameters, pack, parameter);
        store_pack(new_states, pack, state);
      },
      [&](std::uint64_t i) {
        T parameter = parameters[i], state = states[i];
        step(parameter, gradients[i], state);
        new_parameters[i] = parameter;
        new_states[i] = state;
      });
}

template <class T, class Step>
TENON_DEVICE void update(const Step& step, std::uint64_t n, T* new_parameters, T* new_firsts, T* new_seconds,
                         const T* parameters, const T* gradients, const T* firsts, const T* seconds) {
  for_my_pack<T>(
      n,
      [&](std::uint64_t pack) {
        Pack<T> parameter = load_pack(parameters, pack);
        Pack<T> first = load_pack(firsts, pack), second = load_pack(seconds, pack);
        step_pack(step, parameter, load_pack(gradients, pack), first, second);
        store_pack(new_parameters, pack, parameter);
        store_pack(new_firsts, pack, first);
        store_pack(new_seconds, pack, second);
      },
      [&](std::uint64_t i) {
        T parameter = parameters[i], first = firsts[i], second = seconds[i];
        step(parameter, gradients[i], first, second);
        new_parameters[i] = parameter;
        new_firsts[i] = first;
        new_seconds[i] = second;
      });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_UPDATE_0(name, Step, T)                                                                             \
  TENON_KERNEL(name, std::uint64_t n, Step<T> step, T* new_parameters, const T* parameters, const T* gradients) { \
    update(step, n, new_parameters, parameters, gradients);                                                       \
  }
#define TENON_UPDATE_1(name, Step, T)                                                                      \
  TENON_KERNEL(name, std::uint64_t n, Step<T> step, T* new_parameters, T* new_states, const T* parameters, \
               const T* gradients, const T* states) {                                                      \
    update(step, n, new_parameters, new_states, parameters, gradients, states);                            \
  }
#define TENON_UPDATE_2(name, Step, T)                                                                 \
  TENON_KERNEL(name, std::uint64_t n, Step<T> step, T* new_parameters, T* new_firsts, T* new_seconds, \
               const T* parameters, const T* gradients, const T* firsts, const T* seconds) {          \
    update(step, n, new_parameters, new_firsts, new_seconds, parameters, gradients, firsts, seconds); \
  }
#define TENON_UPDATE(states, name, Step) \
  TENON_UPDATE_##states(name##_f32, Step, float) TENON_UPDATE_##states(name##_f64, Step, double)

TENON_UPDATE(0, sgd, SgdStep)
TENON_UPDATE(1, momentum, MomentumStep)
TENON_UPDATE(2, adam, AdamStep)
TENON_UPDATE(2, adamw, AdamwStep)
TENON_UPDATE(1, adagrad, AdagradStep)
TENON_UPDATE(1, rmsprop, RmspropStep)
TENON_UPDATE(2, adadelta, AdadeltaStep)
