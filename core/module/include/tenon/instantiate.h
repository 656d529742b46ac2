// instantiate.h: definitions become modules: a device is opened, every operation resolved, parameters drawn.
//
// What this build or machine cannot execute is refused here, with its reason, before anything has run.
#pragma once
#include "tenon/scalar_module.h"
#include "tenon/to_program.h"

namespace tenon {

/// What a module's scalar type means where the options leave the dtype open.
template <class Scalar>
constexpr ScalarType scalar_type_of() {
  static_assert(std::same_as<Scalar, float> || std::same_as<Scalar, double>, "[module] scalars are float or double");
  return std::same_as<Scalar, double> ? ScalarType{ScalarType::Kind::native} : ScalarType{};
}

/// The options with their dtype. INVALID_ARGUMENT where they ask for another scalar type than the module's; what no
/// module can compute with passes, to be refused with its own reason.
template <class Scalar>
result<Options> options_for(Options options) {
  constexpr ScalarType standard = scalar_type_of<Scalar>();
  if (!options.dtype) options.dtype = standard;
  const ScalarType::Kind found = options.dtype->kind;
  const bool has_scalar = found == ScalarType::Kind::native || found == ScalarType::Kind::float32;
  if (found == standard.kind || !has_scalar) return options;
  return fail(Reason::INVALID_ARGUMENT, "[module] dtype " + to_string(*options.dtype) + ": found a module of " +
                                            (std::same_as<Scalar, double> ? "double" : "float") + ", expected one of " +
                                            (std::same_as<Scalar, double> ? "float" : "double"));
}

/// On a device that is open already: several modules share it.
template <class Scalar, ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
result<ScalarModule<Scalar, P, I, N, out, St>> instantiate_on(const SharedRuntime& runtime,
                                                              const ModuleDef<P, I, N, out, St>& def,
                                                              const std::type_identity_t<Plan<P>>& plan) {
  using Module = ScalarModule<Scalar, P, I, N, out, St>;
  return contained("module", [&]() -> result<Module> {
    TENON_CHECK(plan.validate());
    TENON_TRY(ModuleCore core, ModuleCore::create(runtime, to_program(def, "module")));
    TENON_CHECK(core.apply_plan(plan.to_array()));
    return Module(std::move(core));
  });
}

template <class Scalar, ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
result<ScalarModule<Scalar, P, I, N, out, St>> instantiate_with_plan(const ModuleDef<P, I, N, out, St>& def,
                                                                     const Options& options,
                                                                     const std::type_identity_t<Plan<P>>& plan) {
  return contained("module", [&]() -> result<ScalarModule<Scalar, P, I, N, out, St>> {
    TENON_CHECK(plan.validate());
    TENON_TRY(const Options complete, options_for<Scalar>(options));
    TENON_TRY(const SharedRuntime runtime, SharedRuntime::open(complete));
    return instantiate_on<Scalar>(runtime, def, plan);
  });
}

/// With the definition's own initialisers, drawn from the options' seed.
template <class Scalar, ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
auto instantiate_configured(const ModuleDef<P, I, N, out, St>& def, const Options& options) {
  return contained("module", [&] { return instantiate_with_plan<Scalar>(def, options, def.plan(options.seed)); });
}

/// double: host scalars of --dtype float.
template <ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
auto instantiate_float_with_plan(const ModuleDef<P, I, N, out, St>& def, const Options& options,
                                 const std::type_identity_t<Plan<P>>& plan) {
  return instantiate_with_plan<double>(def, options, plan);
}

/// For lists that are known at run time only; their length is checked first.
template <ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
result<ScalarModule<double, P, I, N, out, St>> instantiate_float_with_init(const ModuleDef<P, I, N, out, St>& def,
                                                                           const Options& options,
                                                                           std::span<const FloatInit> initializers) {
  return contained("module", [&]() -> result<ScalarModule<double, P, I, N, out, St>> {
    TENON_TRY(const Plan<P> plan, Plan<P>::of_array(initializers));
    return instantiate_float_with_plan(def, options, plan);
  });
}

}  // namespace tenon
