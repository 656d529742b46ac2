// modules_on.h: a small typed classifier, and how it is made on every device with every backend.
#pragma once
#include "session/where.h"
#include "tenon/with_runtime.h"

namespace tenon::test {

/// The same program as small_mlp.h's.
struct Mlp {
  Linear<3, 4> fc1;
  Linear<4, 3> fc2;

  auto forward(Tensor<batch, 3> x) const { return fc2(tanh(fc1(x))); }
  auto loss(Tensor<batch, 3> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

/// What was asked for, or the end of the test with the error's words.
template <class T>
T must(result<T> answer) {
  if (!answer) {
    ADD_FAILURE() << to_string(answer.error());
    std::abort();
  }
  return *std::move(answer);
}

/// The words of a refusal.
template <class T>
std::string refusal(const result<T>& answer) {
  return answer ? "accepted" : answer.error().text;
}

inline std::string late_manifest() { return search_with_fakes().named.front().string(); }

inline Options options_on(const Where& where) {
  Options options{.device = where.device, .backend = where.backend};
  if (where.device == "late") options.plugins = {late_manifest()};
  return options;
}

/// The plan that initial_values() of small_mlp.h follows.
inline Plan<ParamsOf<Mlp>> mlp_plan(std::uint64_t seed = 1) {
  return {init::uniform(-0.7, 0.7, seed), init::uniform(-0.7, 0.7, seed + 1), init::uniform(-0.7, 0.7, seed + 2),
          init::uniform(-0.7, 0.7, seed + 3)};
}

template <class S>
ModuleOf<S, Mlp> mlp_on(const Where& where, std::uint64_t seed = 1) {
  return must(instantiate_with_plan<S>(define<Mlp>(), options_on(where), mlp_plan(seed)));
}

/// Rows of small_mlp.h as typed tensors.
template <class S>
struct TypedRows {
  HostTensor<S, batch, 3> x;
  HostTensor<Natural, batch> label;

  explicit TypedRows(std::uint64_t rows, std::uint64_t seed = 5) : TypedRows(Rows(rows, seed)) {}
  explicit TypedRows(const Rows& rows)
      : x(must(HostTensor<S, batch, 3>::of(std::vector<S>(rows.x.begin(), rows.x.end())))),
        label(must(HostTensor<Natural, batch>::of(rows.labels))) {}
};

}  // namespace tenon::test
