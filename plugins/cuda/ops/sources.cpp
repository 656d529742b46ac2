// Sources: tensors from nothing.
#include "native.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "sources";

template <class T, class... A>
void draw(Plan& plan, std::string_view kernel, A... arguments) {
  const std::uint64_t n = plan.signature().output().elements();
  plan.launch_threads(family, kernel, pack_threads<T>(n), n, Output{}, arguments...);
}

template <class T>
struct Source : NotDifferentiable {
  using dtypes = T();
};

template <class T>
struct Fill : Source<T> {
  static constexpr auto attributes = names("shape", "value");
  static void plan(Plan& plan) { draw<T>(plan, "fill", static_cast<T>(plan.signature().real("value", 0))); }
};

template <class T>
struct RandUniform : Source<T> {
  static constexpr auto attributes = names("shape");
  static void plan(Plan& plan) { draw<T>(plan, "rand_uniform", Scalar{0}); }
};

template <class T>
struct BernoulliMask : Source<T> {
  static constexpr auto attributes = names("shape", "keep");
  static void plan(Plan& plan) { draw<T>(plan, "bernoulli_mask", Scalar{0}, plan.signature().real("keep", 0.5)); }
};

template <class T>
struct InitUniform : Source<T> {
  static constexpr auto attributes = names("shape", "low", "high");
  static void plan(Plan& plan) {
    draw<T>(plan, "init_uniform", Scalar{0}, plan.signature().real("low", 0), plan.signature().real("high", 1));
  }
};

template <class T>
struct InitNormal : Source<T> {
  static constexpr auto attributes = names("shape", "mean", "std");
  static void plan(Plan& plan) {
    draw<T>(plan, "init_normal", Scalar{0}, plan.signature().real("mean", 0), plan.signature().real("std", 1));
  }
};

TENON_CAPSULES capsules =
    plugin::join(both<"fill", Fill>, both<"rand_uniform", RandUniform>, both<"bernoulli_mask", BernoulliMask>,
                 both<"init_uniform", InitUniform>, both<"init_normal", InitNormal>);

}  // namespace
}  // namespace tenon::gpu
