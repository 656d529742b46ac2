// What a launch, an eager operation and a training step cost. Run tools/bench for the table of ratios.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "tenon/float_init.h"
#include "tenon/resolved_graph.h"
#include "tenon/session.h"
#include "tenon/tenon.h"

namespace {

using namespace tenon;

template <class T>
T must(result<T> value) {
  if (value) return *std::move(value);
  std::fprintf(stderr, "error: %s\n", to_string(value.error()).c_str());
  std::exit(1);
}
void must(result<void> value) {
  if (value) return;
  std::fprintf(stderr, "error: %s\n", to_string(value.error()).c_str());
  std::exit(1);
}

std::shared_ptr<LoadedPlugin> plugin_of(const Catalogue& catalogue, std::string_view id) {
  for (const Candidate& candidate : catalogue.candidates())
    if (candidate.manifest.id == id) return must(LoadedPlugin::load(candidate, {}));
  std::fprintf(stderr, "error: no plugin %s\n", std::string(id).c_str());
  std::exit(1);
}

Registry cpu(bool with_noop = false) {
  const Catalogue catalogue = must(Catalogue::scan({{TENON_NOOP_PLUGIN}}));
  std::vector plugins{plugin_of(catalogue, "cpu")};
  auto device = must(Device::open(plugins.front(), "cpu", 0));
  SelectionPolicy policy{.strict = true};
  if (with_noop) {
    plugins.push_back(plugin_of(catalogue, "noop"));
    policy.assurance = Assurance::external;
    policy.provider = {ProviderPolicy::Rule::only, "noop"};
  }
  return Registry(std::move(device), std::move(plugins), policy);
}

void empty_loop(benchmark::State& state) {
  std::uint64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++i);
}
BENCHMARK(empty_loop);

/// The executor's whole path to a capsule that does nothing, and back.
void null_launch(benchmark::State& state) {
  KernelCache cache(cpu(true));
  Executor executor(cache.registry().device(), nullptr);
  const TensorType one{DType::f32, Shape{1}};
  Step step(must(cache.get({Op::neg, NoAttributes{}, {one}, {one}, GradientMode::evaluation})));
  for (auto _ : state) benchmark::DoNotOptimize(executor.run(step));
}
BENCHMARK(null_launch);

constexpr int chain = 1000;

Program add_chain() {
  Program p;
  p.name = "add_chain";
  p.parameters = {{"a", Shape{1}}};
  p.inputs = {{"x", Kind::real, Shape{tenon::batch, 1}}};
  p.forward_reals = 1;
  p.forward = [](const ProgramArguments& a) {
    Value sum = reshape(a.reals[0], Target{Shape{1}});
    for (int i = 0; i < chain; ++i) sum = add(sum, a.parameters[0]);
    return sum;
  };
  p.loss = p.forward;
  return p;
}

void per_operation(benchmark::State& state, int operations) {
  state.counters["ns_per_op"] =
      benchmark::Counter(static_cast<double>(operations) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// add of one element, 1000 in a row.
void eager_add(benchmark::State& state) {
  Session session = must(Session::create(cpu(), add_chain(), {.evaluation_batches = {1}}));
  const std::vector<double> one{1.0};
  const Batch batch{1, {one}, {}};
  for (auto _ : state) benchmark::DoNotOptimize(must(session.evaluate(batch)));
  per_operation(state, chain);
}
BENCHMARK(eager_add);

/// The same, recorded and differentiated: each add is followed by one accumulation on the way back.
void eager_add_with_gradient(benchmark::State& state) {
  Session session = must(Session::create(cpu(), add_chain(), {.training_batches = {1}}));
  const std::vector<double> one{1.0};
  const Batch batch{1, {one}, {}};
  auto optimizer = must(session.init_optim({Op::sgd}));
  for (auto _ : state) benchmark::DoNotOptimize(must(session.train_step(batch, optimizer, 0.0)));
  per_operation(state, chain);
}
BENCHMARK(eager_add_with_gradient);

Program mlp() {
  Program p;
  p.name = "mlp";
  p.parameters = {{"fc1.weight", Shape{128, 64}},
                  {"fc1.bias", Shape{128}},
                  {"fc2.weight", Shape{10, 128}},
                  {"fc2.bias", Shape{10}}};
  p.inputs = {{"x", Kind::real, Shape{tenon::batch, 64}}, {"label", Kind::natural, Shape{tenon::batch}}};
  p.forward_reals = 1;
  p.forward = [](const ProgramArguments& a) {
    const Value hidden = relu(linear(a.reals[0], a.parameters[0], a.parameters[1]));
    return linear(hidden, a.parameters[2], a.parameters[3]);
  };
  p.loss = [forward = p.forward](const ProgramArguments& a) { return cross_entropy(forward(a), a.naturals[0]); };
  return p;
}

/// A batch of 32 rows for it.
struct MlpRows {
  std::vector<float> x;
  std::vector<std::uint32_t> labels;

  MlpRows() : x(32 * 64), labels(32) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(sample_at(init::Uniform{0, 1, 1}, i));
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint32_t>(i % 10);
  }
};

/// 64-128-10, batch 32, adam.
void step_of(benchmark::State& state, Backend backend) {
  Session session = must(Session::create(cpu(), mlp(), {.backend = backend, .training_batches = {32}}));
  std::vector<SourceInit> inits;
  for (const ParameterSpec& p : session.program().parameters)
    inits.push_back(must(as_source(init::Uniform{-0.1, 0.1, inits.size()}, p.shape)));
  must(session.initialise(inits));
  auto optimizer = must(session.init_optim({Op::adam, Moments{}}));
  const MlpRows rows;
  const Batch batch{32, {rows.x}, {rows.labels}};
  for (auto _ : state) benchmark::DoNotOptimize(must(session.train_step(batch, optimizer, 1e-3)));
}
void mlp_step(benchmark::State& state) { step_of(state, Backend::eager); }
BENCHMARK(mlp_step);
void mlp_step_compiled(benchmark::State& state) { step_of(state, Backend::compiled); }
BENCHMARK(mlp_step_compiled);

struct TypedMlp {
  Linear<64, 128> fc1;
  Linear<128, 10> fc2;

  auto forward(Tensor<tenon::batch, 64> x) const { return fc2(relu(fc1(x))); }
  auto loss(Tensor<tenon::batch, 64> x, Naturals<tenon::batch> label) const { return cross_entropy(forward(x), label); }
};

/// The same step through the typed layer; its peer is the one above.
void typed_step_of(benchmark::State& state, Backend backend) {
  const Plan<ParamsOf<TypedMlp>> plan{init::uniform(-0.1, 0.1, 0), init::uniform(-0.1, 0.1, 1),
                                      init::uniform(-0.1, 0.1, 2), init::uniform(-0.1, 0.1, 3)};
  auto net = must(instantiate_with_plan<float>(define<TypedMlp>(), {.device = "cpu", .backend = backend}, plan));
  auto optimizer = must(net.init_optim(optim::adam()));
  const MlpRows rows;
  const auto x = must(HostTensor<float, tenon::batch, 64>::of(rows.x));
  const auto label = must(HostTensor<Natural, tenon::batch>::of(rows.labels));
  for (auto _ : state) benchmark::DoNotOptimize(must(net.step_with(optimizer, 1e-3, x, label)));
}
void typed_mlp_step(benchmark::State& state) { typed_step_of(state, Backend::eager); }
BENCHMARK(typed_mlp_step);
void typed_mlp_step_compiled(benchmark::State& state) { typed_step_of(state, Backend::compiled); }
BENCHMARK(typed_mlp_step_compiled);

}  // namespace

BENCHMARK_MAIN();
