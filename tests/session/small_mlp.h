// small_mlp.h: a classifier with one hidden layer, for tests: 3 features, 4 hidden, 3 classes.
#pragma once
#include "support/test_device.h"
#include "tenon/float_init.h"
#include "tenon/session.h"

namespace tenon::test {

inline Program small_mlp() {
  Program p;
  p.name = "small_mlp";
  p.parameters = {{"w1", Shape{4, 3}}, {"b1", Shape{4}}, {"w2", Shape{3, 4}}, {"b2", Shape{3}}};
  p.inputs = {{"x", Kind::real, Shape{tenon::batch, 3}}, {"label", Kind::natural, Shape{tenon::batch}}};
  p.forward_reals = 1;
  p.forward = [](const ProgramArguments& a) {
    const Value hidden = tanh(linear(a.reals[0], a.parameters[0], a.parameters[1]));
    return linear(hidden, a.parameters[2], a.parameters[3]);
  };
  p.loss = [forward = p.forward](const ProgramArguments& a) { return cross_entropy(forward(a), a.naturals[0]); };
  return p;
}

inline std::vector<SourceInit> initial_values(const Program& program, std::uint64_t seed) {
  std::vector<SourceInit> inits;
  for (const ParameterSpec& p : program.parameters)
    inits.push_back(*as_source(init::Uniform{-0.7, 0.7, seed + inits.size()}, p.shape));
  return inits;
}

/// Deterministic rows and labels.
struct Rows {
  std::vector<double> x;
  std::vector<std::uint32_t> labels;

  explicit Rows(std::uint64_t rows, std::uint64_t seed = 5) {
    for (std::uint64_t i = 0; i < 3 * rows; ++i) x.push_back(sample_at(init::Uniform{-1, 1, seed}, i));
    for (std::uint64_t i = 0; i < rows; ++i) labels.push_back(static_cast<std::uint32_t>((7 * i + seed) % 3));
  }
  Batch batch() const { return {labels.size(), {x}, {labels}}; }
};

inline Session session_of(const std::string& kind, Program program, SessionOptions options) {
  auto session = Session::create(registry_of(kind, strict_policy()), std::move(program), options);
  if (!session) {
    ADD_FAILURE() << to_string(session.error());
    std::abort();
  }
  return *std::move(session);
}

}  // namespace tenon::test
