// mlp.cpp: handwritten digits, as `tenon train mlp` learns them: the same split, scaling, initial values, order and
// steps, and so the same parameters to the last bit.
//
//   mlp DIGITS.csv [SAVE.safetensors] [any execution flag, such as --device cpu --backend compiled --seed 7]
//
// with_runtime parses the flags and chooses the scalar type S: float for --dtype float32, double for --dtype float.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

struct Mlp {
  Linear<64, 128> fc1;
  Linear<128, 10> fc2;

  auto forward(Tensor<batch, 64> x) const { return fc2(relu(fc1(x))); }
  auto loss(Tensor<batch, 64> x, Naturals<batch> digit) const { return cross_entropy(forward(x), digit); }
};

/// Initialiser n draws from its own seed, made of the one of the command line. Names may be left out.
Plan<ParamsOf<Mlp>> plan_for(std::uint64_t seed) {
  return {"fc1.weight"_p = init::kaiming_uniform(random::next_seed(seed, 0)), "fc1.bias"_p = init::zeros(),
          "fc2.weight"_p = init::kaiming_uniform(random::next_seed(seed, 2)), "fc2.bias"_p = init::zeros()};
}

/// Images, row-major, with their digits.
struct Digits {
  std::vector<double> pixels;
  std::vector<Natural> digits;
};

/// The last column is the digit, the 64 before it are pixels.
result<Digits> read_digits(const std::string& file) {
  TENON_TRY(const Table table, read_csv(file));
  if (table.columns.size() != 65)
    return fail(Reason::DATA_MISMATCH, "[mlp] " + file + ": found " + std::to_string(table.columns.size()) +
                                           " columns, expected 64 pixels and a label");
  Digits all;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    if (i % 65 == 64)
      all.digits.push_back(static_cast<Natural>(table.values[i]));
    else
      all.pixels.push_back(table.values[i]);
  }
  return all;
}

Digits taken(const Digits& all, std::span<const std::uint64_t> rows) {
  return {take_rows(std::span(all.pixels), 64, rows), take_rows(std::span(all.digits), 1, rows)};
}

/// The same images as host tensors of the runtime's scalar.
template <class S>
result<HostTensor<S, batch, 64>> images(const Digits& some) {
  return HostTensor<S, batch, 64>::of(std::vector<S>(some.pixels.begin(), some.pixels.end()));
}
result<HostTensor<Natural, batch>> labels(const Digits& some) { return HostTensor<Natural, batch>::of(some.digits); }

/// How many rows have their greatest logit at their digit.
template <class S>
std::size_t count_right(const HostTensor<S, batch, 10>& logits, std::span<const Natural> digits) {
  std::size_t right = 0;
  for (std::size_t row = 0; row < digits.size(); ++row) {
    const auto ten = logits.values().subspan(row * 10, 10);
    right += std::ranges::max_element(ten) - ten.begin() == static_cast<std::ptrdiff_t>(digits[row]) ? 1 : 0;
  }
  return right;
}

template <class S>
result<void> learn(Runtime<S> runtime, const Args& arguments) {
  if (arguments.empty() || arguments.size() > 2)
    return fail(usage_error("expected the digits' CSV file and, if you like, a file to save to"));
  const std::uint64_t seed = runtime.options().seed;
  TENON_TRY(const Digits all, read_digits(arguments[0]));

  // A fifth of the rows is kept back; what scales the pixels is measured on the others.
  const std::vector<std::uint64_t> order = permutation(all.digits.size(), seed, 0);
  const auto tested = static_cast<std::size_t>(std::llround(static_cast<double>(order.size()) * 0.2));
  Digits test = taken(all, std::span(order).first(tested)), train = taken(all, std::span(order).subspan(tested));
  const Normalisation range = fit_normalisation(NormalisationKind::range, train.pixels, 64);
  normalise(train.pixels, range);
  normalise(test.pixels, range);

  TENON_TRY(auto net, runtime.instantiate(define<Mlp>(), plan_for(seed)));
  TENON_TRY(auto adam, net.init_optim(optim::adam()));
  TENON_TRY(auto x, images<S>(train));
  TENON_TRY(auto digit, labels(train));
  TENON_TRY(auto report, net.train_with(adam, {.epochs = 20, .rate = 0.003, .shuffle = seed}, x, digit));
  std::cout << "loss " << report.epoch_losses.front() << " in the first epoch, " << report.epoch_losses.back()
            << " in the last\n";

  TENON_TRY(auto unseen, images<S>(test));
  TENON_TRY(auto logits, net.evaluate(unseen));
  std::cout << count_right<S>(logits, test.digits) << " of " << test.digits.size() << " unseen digits are right\n";
  if (arguments.size() == 2) TENON_CHECK(save(arguments[1], net));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return exit_status(with_runtime({argv + 1, argv + argc}, []<class S>(Runtime<S> runtime, Args rest) -> result<void> {
    return learn(runtime, rest);
  }));
}
