// The peer: the same work in PyTorch's eager mode, on one thread as the reference kernels.
#include <benchmark/benchmark.h>
#include <torch/torch.h>

namespace {

constexpr int chain = 1000;

void torch_eager_add(benchmark::State& state) {
  torch::set_num_threads(1);
  torch::NoGradGuard no_grad;
  const auto a = torch::ones({1}), x = torch::ones({1});
  for (auto _ : state) {
    auto sum = x;
    for (int i = 0; i < chain; ++i) sum = sum + a;
    benchmark::DoNotOptimize(sum.item<float>());
  }
}
BENCHMARK(torch_eager_add);

void torch_eager_add_with_gradient(benchmark::State& state) {
  torch::set_num_threads(1);
  auto a = torch::zeros({1}, torch::requires_grad());
  const auto x = torch::ones({1});
  for (auto _ : state) {
    a.mutable_grad().reset();
    auto sum = x;
    for (int i = 0; i < chain; ++i) sum = sum + a;
    sum.backward();
    benchmark::DoNotOptimize(a.grad().item<float>());
  }
}
BENCHMARK(torch_eager_add_with_gradient);

void torch_mlp_step(benchmark::State& state) {
  torch::set_num_threads(1);
  torch::nn::Sequential net(torch::nn::Linear(64, 128), torch::nn::ReLU(), torch::nn::Linear(128, 10));
  torch::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(1e-3));
  const auto x = torch::rand({32, 64});
  const auto labels = torch::arange(32, torch::kLong) % 10;
  for (auto _ : state) {
    adam.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(x), labels);
    loss.backward();
    adam.step();
    benchmark::DoNotOptimize(loss.item<float>());
  }
}
BENCHMARK(torch_mlp_step);

}  // namespace
