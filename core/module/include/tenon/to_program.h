// to_program.h: the definition of a module as the Program that a session runs. Pure; any thread.
#pragma once
#include "tenon/module_def.h"

namespace tenon {
namespace detail {

inline std::string name_or(const Param& p, std::string_view kind, std::size_t index) {
  return p.name.empty() ? std::string(kind) + std::to_string(index) : std::string(p.name.view());
}

inline std::vector<ParameterSpec> parameter_specs(std::span<const Param> list, std::span<const bool> requires_grad) {
  std::vector<ParameterSpec> specs;
  for (std::size_t i = 0; i < list.size(); ++i)
    specs.push_back({name_or(list[i], "param", i), list[i].shape, requires_grad[i]});
  return specs;
}

/// States begin at zero where their list does not say otherwise.
inline std::vector<StateSpec> state_specs(std::span<const Param> list, std::span<const double> initial) {
  std::vector<StateSpec> specs;
  for (std::size_t i = 0; i < list.size(); ++i)
    specs.push_back({name_or(list[i], "state", i), list[i].shape, initial.empty() ? 0 : initial[i]});
  return specs;
}

template <ShapeList S>
std::span<const double> initial_states() {
  if constexpr (requires { S::initial; })
    return S::initial;
  else
    return {};
}

inline std::vector<InputSpec> input_specs(std::span<const Param> reals, std::span<const Param> naturals) {
  std::vector<InputSpec> specs;
  for (std::size_t i = 0; i < reals.size(); ++i)
    specs.push_back({name_or(reals[i], "input", i), Kind::real, reals[i].shape});
  for (std::size_t i = 0; i < naturals.size(); ++i)
    specs.push_back({name_or(naturals[i], "natural", i), Kind::natural, naturals[i].shape});
  return specs;
}

}  // namespace detail

/// What has no name is called param0, state0, input0 or natural0, by its position.
template <ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList S>
Program to_program(const ModuleDef<P, I, N, out, S>& def, std::string name) {
  return {.name = std::move(name),
          .parameters = detail::parameter_specs(P::list, def.requires_grad),
          .inputs = detail::input_specs(I::list, N::list),
          .forward_reals = out.reals,
          .forward_naturals = out.naturals,
          .forward = def.forward,
          .loss = def.loss,
          .states = detail::state_specs(S::list, detail::initial_states<S>())};
}

}  // namespace tenon
