#include "train_arguments.h"

#include <array>
#include <cmath>

#include "command.h"
#include "files.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 31;
constexpr std::uint64_t most_steps = ~std::uint64_t{0};

/// A finite number for which `fits` holds.
template <class Fits>
result<double> real_number(const GivenFlag& flag, Fits fits) {
  const auto number = parse_double(*flag.value);
  if (!number || !std::isfinite(*number) || !fits(*number)) return fail(bad_value(flag));
  return *number;
}

result<void> set_hidden(TrainArguments& arguments, const GivenFlag& flag) {
  const auto widths = parse_hidden(*flag.value);
  if (!widths) return fail(bad_value(flag));
  arguments.hidden = *widths;
  return {};
}

result<void> set_rate(TrainArguments& arguments, const GivenFlag& flag) {
  TENON_TRY(arguments.rate, real_number(flag, [](double rate) { return rate > 0; }));
  return {};
}

result<void> set_optimizer(TrainArguments& arguments, const GivenFlag& flag) {
  TENON_TRY(arguments.optimizer, one_of(flag, optimizer_names()));
  return {};
}

result<void> set_test_fraction(TrainArguments& arguments, const GivenFlag& flag) {
  TENON_TRY(arguments.test_fraction, real_number(flag, [](double f) { return f >= 0 && f < 1; }));
  return {};
}

result<void> set_normalisation(TrainArguments& arguments, const GivenFlag& flag) {
  TENON_TRY(const std::size_t choice, one_of(flag, normalisation_names()));
  arguments.normalisation = static_cast<NormalisationKind>(choice);
  return {};
}

/// "20 for mlp, 50 for linear"
template <class Text>
std::string standards(Text text) {
  std::vector<std::string> out;
  for (const ModelKind& kind : models()) out.push_back(text(kind) + " for " + std::string(kind.name));
  return join(out);
}

auto contradiction(std::string text, std::string hint) { return fail(usage_error(std::move(text), std::move(hint))); }

}  // namespace

std::span<const Setting<TrainArguments>> train_settings() {
  static const auto all = std::to_array<Setting<TrainArguments>>({
      {{.name = "--data",
        .metavar = "FILE",
        .expected = "a CSV file of numbers with a label column",
        .help = "the examples; a first line of numbers alone is data, and the columns are column0, column1, ..."},
       set_text<&TrainArguments::data>},
      {{.name = "--label",
        .metavar = "COLUMN",
        .expected = "the name of a column",
        .help = "what is to be learnt",
        .standard = "the column label, else target, else the last"},
       set_text<&TrainArguments::label>},
      {{.name = "--hidden",
        .metavar = "N,N",
        .expected = "widths of 1 to 16777216, as in 128,64",
        .help = "hidden layers of mlp",
        .standard = std::string(standard_hidden)},
       set_hidden},
      {{.name = "--epochs",
        .metavar = "N",
        .expected = "a whole number from 1 to 2147483648",
        .help = "how often each row is seen",
        .standard = standards([](const ModelKind& kind) { return std::to_string(kind.epochs); })},
       set_whole<&TrainArguments::epochs, 1, most>},
      {{.name = "--steps",
        .metavar = "N",
        .expected = "a whole number from 0 to 18446744073709551615",
        .help = "at most so many steps in all; 0 only initialises and evaluates",
        .standard = "no limit"},
       set_whole<&TrainArguments::steps, 0, most_steps>},
      {{.name = "--batch",
        .metavar = "N",
        .expected = "a whole number from 1 to 2147483648",
        .help = "rows of a step",
        .standard = "32"},
       set_whole<&TrainArguments::batch, 1, most>},
      {{.name = "--rate",
        .metavar = "R",
        .expected = "a number above 0",
        .help = "the learning rate",
        .standard = standards([](const ModelKind& kind) { return shortest(kind.rate); })},
       set_rate},
      {{.name = "--optimizer",
        .metavar = "O",
        .expected = join(optimizer_names()),
        .help = "how parameters are updated",
        .standard = "adam"},
       set_optimizer},
      {{.name = "--test-fraction",
        .metavar = "F",
        .expected = "a number from 0 to below 1",
        .help = "rows kept back to test on, chosen by the seed",
        .standard = "0.2"},
       set_test_fraction},
      {{.name = "--normalise",
        .metavar = "N",
        .expected = join(normalisation_names()),
        .help = "how columns are scaled, measured on the training rows",
        .standard = "range"},
       set_normalisation},
      {{.name = "--save",
        .metavar = "FILE",
        .expected = "the file to write",
        .help = "parameters and normalisation, as safetensors"},
       set_text<&TrainArguments::save>},
      {{.name = "--load",
        .metavar = "FILE",
        .expected = "a checkpoint that --save wrote",
        .help = "start from its parameters"},
       set_text<&TrainArguments::load>},
  });
  return all;
}

TrainingPlan plan_for(const TrainArguments& a, const ModelKind& kind, std::uint64_t seed) {
  return {.epochs = a.epochs.value_or(kind.epochs),
          .batch = a.batch,
          .seed = seed,
          .steps = a.steps,
          .rate = a.rate.value_or(kind.rate)};
}

result<void> check(const TrainArguments& a, const ModelKind& kind) {
  if (!a.data) return fail(usage_error("--data: missing, expected " + train_settings()[0].flag.expected));
  if (a.hidden && !kind.has_hidden_layers)
    return contradiction("--hidden: found it with model " + std::string(kind.name) + ", which has no hidden layers",
                         "leave --hidden out, or use mlp");
  if (a.load && a.hidden)
    return contradiction("--hidden and --load exclude each other: the file knows its layers", "leave --hidden out");
  if (a.load && a.normalisation)
    return contradiction("--normalise and --load exclude each other: the file has its normalisation",
                         "leave --normalise out");
  if (a.save) return check_distinct("--save", *a.save, "--data", *a.data);
  return {};
}

}  // namespace tenon::cli
