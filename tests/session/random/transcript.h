// transcript.h: everything that a session lets one see of a program, in an order that is always the same.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "session/random/program.h"
#include "tenon/registry.h"

namespace tenon::test {

struct Observation {
  std::string what;
  std::string error;  // its words, whatever the device is called; empty where there was none
  std::vector<double> values;
};
using Transcript = std::vector<Observation>;

/// NaN payloads are not defined: every NaN counts as the same.
inline bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline std::vector<double> as_doubles(const std::vector<std::byte>& bytes, DType real) {
  std::vector<double> values(bytes.size() / size_bytes(real));
  for (std::size_t i = 0; i < values.size(); ++i) {
    float narrow = 0;
    if (real == DType::f64) std::memcpy(&values[i], bytes.data() + 8 * i, 8);
    if (real == DType::f32) std::memcpy(&narrow, bytes.data() + 4 * i, 4), values[i] = narrow;
  }
  return values;
}

class Observer {
 public:
  Observer(const RandomProgram& drawn, DType real) : drawn_(drawn), real_(real), batch_(drawn) {}

  Transcript observe(const Registry& registry, Backend backend) {
    SessionOptions options{.real = real_, .seed = drawn_.seed, .backend = backend};
    device_ = registry.device()->name();
    if (drawn_.seed % 2 == 0) options.training_batches = options.evaluation_batches = {1};
    auto session = Session::create(registry, program_of(drawn_), options);
    note("create", session, [](Session&) { return std::vector<double>{}; });
    if (session) observe(*session);
    return std::move(seen_);
  }

 private:
  std::string words(const Error& error) const {
    std::string out = to_string(error);
    for (std::size_t at; (at = out.find(" " + device_)) != out.npos;) out.replace(at + 1, device_.size(), "DEVICE");
    return out;
  }
  template <class T, class Values>
  void note(const std::string& what, result<T>& answer, Values values) {
    seen_.push_back({what, answer ? "" : words(answer.error()), answer ? values(*answer) : std::vector<double>{}});
  }
  void note(const std::string& what, result<double> answer) {
    note(what, answer, [](double value) { return std::vector{value}; });
  }
  void note(const std::string& what, result<std::vector<double>> answer) {
    note(what, answer, [](auto& values) { return values; });
  }
  void note(const std::string& what, result<std::vector<std::vector<std::byte>>> answer) {
    note(what, answer, [&](auto& all) {
      std::vector<double> values;
      for (const auto& bytes : all) std::ranges::copy(as_doubles(bytes, real_), std::back_inserter(values));
      return values;
    });
  }

  void observe(Session& session) {
    std::vector<std::vector<double>> start;
    std::vector<InitialValue> initial;
    for (const std::size_t i : leaves_of(drawn_, parameter_roles)) start.push_back(real_values(drawn_.leaves[i]));
    for (const auto& values : start) initial.emplace_back(RealSpan(values));
    auto initialised = session.initialise(initial);
    if (!initialised) seen_.push_back({"initialise", words(initialised.error()), {}});
    const Batch batch = batch_.batch();
    note("evaluate", session.evaluate(batch));
    note("loss", session.loss(batch));
    observe_gradients(session, batch);
    observe_training(session, batch);
    note("training_loss", session.training_loss(batch));
    note("evaluate again", session.evaluate(batch));
    note("parameters", session.read_parameters());
    note("states", session.read_states());
    note("draws", static_cast<double>(session.draws()));
  }

  void observe_gradients(Session& session, const Batch& batch) {
    auto both = session.loss_and_gradients(batch);
    note("loss with gradients", both, [](auto& b) { return std::vector{b.loss}; });
    for (std::size_t i = 0; both && i < both->gradients.size(); ++i)
      note("gradient of parameter " + std::to_string(i), std::move(both->gradients[i]));
  }

  void observe_training(Session& session, const Batch& batch) {
    auto optimizer = session.init_optim(drawn_.optimizer);
    note("init_optim", optimizer, [](Optimizer&) { return std::vector<double>{}; });
    if (!optimizer) return;
    for (int step = 1; step <= drawn_.steps; ++step)
      note("loss of step " + std::to_string(step), session.train_step(batch, *optimizer, 0.0625));
    auto snapshot = session.read_optimizer(*optimizer);
    observe_move(session, *optimizer, *snapshot);
    note("loss of one step more", session.train_step(batch, *optimizer, 0.0625));
    note("steps", static_cast<double>(optimizer->steps()));
    for (const Moment& m : snapshot->moments) {
      const std::vector<std::vector<std::byte>> bytes{m.bytes};
      note(m.name + " of " + m.parameter, result<std::vector<std::vector<std::byte>>>(bytes));
    }
  }

  /// The same values in other memory: the optimizer's alone, or all.
  void observe_move(Session& session, Optimizer& optimizer, const OptimizerSnapshot& snapshot) {
    std::vector<result<void>> moves{session.set_optimizer(optimizer, snapshot)};
    if (drawn_.seed % 3 != 0) {
      moves.push_back(session.set_parameters(*session.read_parameters()));
      moves.push_back(session.set_states(*session.read_states()));
    }
    for (const auto& moved : moves)
      if (!moved) seen_.push_back({"move", words(moved.error()), {}});
  }

  const RandomProgram& drawn_;
  std::string device_;
  DType real_;
  RandomBatch batch_;
  Transcript seen_;
};

/// The first difference in words; nothing where there is none.
inline std::optional<std::string> difference(const Transcript& a, const Transcript& b) {
  const auto text = [](const Observation& o) { return o.error.empty() ? "no error" : o.error; };
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].what != b[i].what) return a[i].what + " or " + b[i].what;
    if (a[i].error != b[i].error) return a[i].what + ": " + text(a[i]) + "\n  or " + text(b[i]);
    if (a[i].values.size() != b[i].values.size()) return a[i].what + ": different numbers of values";
    for (std::size_t k = 0; k < a[i].values.size(); ++k)
      if (!same_bits(a[i].values[k], b[i].values[k]))
        return a[i].what + ", element " + std::to_string(k) + ": " + testing::PrintToString(a[i].values[k]) + " or " +
               testing::PrintToString(b[i].values[k]);
  }
  if (a.size() != b.size()) return "one goes on where the other ends";
  return std::nullopt;
}

}  // namespace tenon::test
