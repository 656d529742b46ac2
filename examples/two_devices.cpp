// two_devices.cpp: one program, two devices, two back ends, one process. Strict float32 gives the same bits everywhere,
// so that both modules learn the same parameters.
//
//   two_devices [--device-b DEVICE] [execution flags for the first one]
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

struct Net {
  Linear<3, 8> hidden;
  LayerNorm<8> norm;
  Linear<8, 2> head;

  auto forward(Tensor<batch, 3> x) const { return head(gelu(norm(hidden(x)))); }
  auto loss(Tensor<batch, 3> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
};

/// Takes `--device-b DEVICE` out of the arguments.
std::string take_second_device(Args& args) {
  const auto flag = std::ranges::find(args, "--device-b");
  if (flag == args.end() || flag + 1 == args.end()) return "cpu";
  std::string device = flag[1];
  args.erase(flag, flag + 2);
  return device;
}

result<void> compare(Args args) {
  const std::string second_device = take_second_device(args);
  TENON_TRY(const auto parsed, ExecConfig::parse_and_strip_with_default_dtype(args, ScalarType{}));
  if (!parsed.second.empty()) return fail(usage_error("found \"" + parsed.second[0] + "\", expected execution flags"));
  TENON_TRY(const Options first, parsed.first.to_options());
  Options second = first;
  second.device = second_device;
  second.backend = Backend::compiled;

  TENON_TRY(auto a, instantiate_configured<float>(define<Net>(), first));
  TENON_TRY(auto b, instantiate_configured<float>(define<Net>(), second));
  TENON_TRY(auto x, HostTensor<float, batch, 3>::of({1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0}));
  TENON_TRY(auto label, HostTensor<Natural, batch>::of({0, 1, 0, 1}));
  for (int step = 0; step < 50; ++step) {
    TENON_TRY(const float loss_a, a.step_with_loss(0.1, x, label));
    TENON_TRY(const float loss_b, b.step_with_loss(0.1, x, label));
    if (step % 10 == 0) std::cout << "step " << step << ": " << loss_a << " and " << loss_b << "\n";
  }
  TENON_TRY(const auto learnt_a, a.params());
  TENON_TRY(const auto learnt_b, b.params());
  std::cout << first.device << " and " << second.device << " learnt "
            << (learnt_a == learnt_b ? "the same parameters" : "different parameters") << "\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) { return exit_status(compare({argv + 1, argv + argc})); }
