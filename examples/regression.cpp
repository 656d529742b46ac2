// regression.cpp: the line behind examples/data/line.csv, found by a module that is defined by two functions instead of
// a struct: lists of named shapes, then what maps them to a prediction and to a loss.
//
//   regression LINE.csv [any execution flag]
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

using Params = Shapes<param("weight", 1, 3), param("bias", 1)>;
using Inputs = Shapes<param("x", batch, 3), param("target", batch, 1)>;

constexpr auto line = define<Params, Inputs, Shapes<>>(
    [](auto weight, auto bias, auto x) { return linear(x, weight, bias); },
    [](auto weight, auto bias, auto x, auto target) { return mse_loss(linear(x, weight, bias), target); });

result<void> fit(const std::string& file) {
  TENON_TRY(const Table table, read_csv(file));
  std::vector<double> x, target;
  for (std::size_t i = 0; i < table.values.size(); ++i) (i % 4 == 3 ? target : x).push_back(table.values[i]);
  TENON_TRY(auto inputs, HostTensor<double, batch, 3>::of(std::move(x)));
  TENON_TRY(auto targets, HostTensor<double, batch, 1>::of(std::move(target)));

  const Plan<Params> plan{init::zeros(), init::zeros()};
  TENON_TRY(auto net, instantiate_float_with_plan(line, Options{}, plan));
  TENON_TRY(auto report, net.train_sgd({.epochs = 30, .batch = 20, .rate = 0.1}, inputs, targets));
  TENON_TRY(auto learnt, net.params());
  std::cout << "weight " << learnt["weight"_p] << "\nbias " << learnt["bias"_p] << "\nloss "
            << report.epoch_losses.back() << " after " << report.steps << " steps\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return exit_status(fail(usage_error("expected the line's CSV file")));
  return exit_status(fit(argv[1]));
}
