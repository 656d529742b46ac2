// with_runtime.h: from a command line to code that is generic over the scalar type which the flags choose.
//
//   int main(int argc, char** argv) {
//     return exit_status(with_runtime({argv + 1, argv + argc}, []<class S>(Runtime<S> runtime, Args rest) ... ));
//   }
// The flags are parsed, logged to standard error, and turned into options; a device is opened when the first module is
// instantiated. One thread at a time.
#pragma once
#include "tenon/exec_config.h"
#include "tenon/instantiate.h"

namespace tenon {

using Args = std::vector<std::string>;

/// What a program needs to know once the flags have chosen a scalar type. Copies share the device.
template <class S>
class Runtime {
 public:
  using Scalar = S;

  explicit Runtime(Options options)
      : options_(std::move(options)), opened_(std::make_shared<std::optional<SharedRuntime>>()) {}

  const Options& options() const { return options_; }

  /// A literal as a scalar of the module, rounded once.
  static S cast(double literal) { return static_cast<S>(literal); }

  template <class Def>
  auto instantiate(const Def& def) const {
    return contained("module", [&] { return instantiate(def, def.plan(options_.seed)); });
  }
  template <ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
  result<ScalarModule<S, P, I, N, out, St>> instantiate(const ModuleDef<P, I, N, out, St>& def,
                                                        const std::type_identity_t<Plan<P>>& plan) const {
    return contained("module", [&]() -> result<ScalarModule<S, P, I, N, out, St>> {
      TENON_CHECK(plan.validate());
      if (!*opened_) {
        TENON_TRY(*opened_, SharedRuntime::open(options_));
      }
      return instantiate_on<S>(**opened_, def, plan);
    });
  }

 private:
  Options options_;
  std::shared_ptr<std::optional<SharedRuntime>> opened_;
};

/// Calls k(Runtime<float or double>, the arguments that are not flags of ours). A dtype without a scalar type is
/// refused in the words of session creation.
template <class K>
result<void> with_runtime(const Args& args, K&& k) {
  constexpr bool takes_every_scalar = std::is_invocable_r_v<result<void>, K&, Runtime<double>, Args> &&
                                      std::is_invocable_r_v<result<void>, K&, Runtime<float>, Args>;
  static_assert(takes_every_scalar,
                "[with_runtime] expected a callable for every scalar type: []<class S>(Runtime<S>, Args) -> "
                "result<void>");
  if constexpr (takes_every_scalar)
    return contained("runtime", [&]() -> result<void> {
      TENON_TRY(auto parsed, ExecConfig::parse_and_strip(args));
      parsed.first.log();
      TENON_TRY(Options options, parsed.first.to_options());
      const ScalarType type = options.scalar_type();
      if (type.kind == ScalarType::Kind::native)
        return k(Runtime<double>(std::move(options)), std::move(parsed.second));
      if (type.kind == ScalarType::Kind::float32 && type.executable())
        return k(Runtime<float>(std::move(options)), std::move(parsed.second));
      TENON_CHECK(SharedRuntime::open(options));
      return fail(Reason::NOT_EXECUTABLE, "[session] dtype " + to_string(type) + ": " + std::string(meaning(type)));
    });
}

/// The same with a module of `def`: k(runtime, module, rest).
template <class Def, class K>
result<void> with_module_runtime(const Def& def, const Args& args, K&& k) {
  return with_runtime(args, [&]<class S>(Runtime<S> runtime, Args rest) -> result<void> {
    TENON_TRY(auto module, runtime.instantiate(def));
    return k(runtime, module, std::move(rest));
  });
}

/// The same where only literals have to be made scalars: k(cast, module, rest).
template <class Def, class K>
result<void> with_module(const Def& def, const Args& args, K&& k) {
  return with_module_runtime(def, args, [&]<class S>(Runtime<S>, auto& module, Args rest) -> result<void> {
    return k([](double literal) { return Runtime<S>::cast(literal); }, module, std::move(rest));
  });
}

/// For main: prints the error, if there is one. 0 success, 1 failure, 2 a usage error.
TENON_API int exit_status(const result<void>& done);

}  // namespace tenon
