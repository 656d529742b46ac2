// A product of matrices on the Vulkan device, and its peer, the same one on the CPU, both strict. Where the device is
// lavapipe the figure is lavapipe's: it says nothing about a graphics card.
#include <benchmark/benchmark.h>

#include "tenon/float_init.h"
#include "tenon/session.h"

namespace {

using namespace tenon;

constexpr std::int64_t extent = 512;
constexpr int products = 8;

/// The sum of a b b ... b: nothing but products is of any size.
Program chain_of_products() {
  Program p;
  p.name = "products";
  p.parameters = {{"a", Shape{extent, extent}}, {"b", Shape{extent, extent}}};
  p.loss = [](const ProgramArguments& a) {
    Value product = a.parameters[0];
    for (int i = 0; i < products; ++i) product = matmul(product, a.parameters[1]);
    return reduce_sum(product);
  };
  return p;
}

result<Session> session_on(const std::string& kind) {
  TENON_TRY(const Catalogue catalogue, Catalogue::scan({}));
  TENON_TRY(const DeviceName name, parse_device(kind, catalogue));
  TENON_TRY(const Candidate candidate, find_plugin(name, catalogue));
  TENON_TRY(auto plugin, LoadedPlugin::load(candidate, {}));
  TENON_TRY(auto device, Device::open(plugin, name.kind, name.ordinal));
  TENON_TRY(Session session, Session::create(Registry(std::move(device), {std::move(plugin)}, {.strict = true}),
                                             chain_of_products(), {}));
  std::vector<SourceInit> inits;
  for (const ParameterSpec& p : session.program().parameters) {
    TENON_TRY(const SourceInit init, as_source(init::Uniform{-0.05, 0.05, inits.size()}, p.shape));
    inits.push_back(init);
  }
  TENON_CHECK(session.initialise(inits));
  return session;
}

void matmul_512(benchmark::State& state, const std::string& kind) {
  result<Session> session = session_on(kind);
  if (!session) return state.SkipWithError(to_string(session.error()).c_str());
  for (auto _ : state) {
    const auto loss = session->loss({});
    if (!loss) return state.SkipWithError(to_string(loss.error()).c_str());
    benchmark::DoNotOptimize(*loss);
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(products * 2e-9 * extent * extent * extent, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(matmul_512, vulkan, "vulkan")->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(matmul_512, cpu, "cpu")->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
