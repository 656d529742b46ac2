// train_arguments.h: the flags of `tenon train`. Plain values.
#pragma once
#include <optional>
#include <string>

#include "model.h"
#include "tenon/flags.h"
#include "tenon/normalisation.h"
#include "training.h"

namespace tenon::cli {

struct TrainArguments {
  std::optional<std::string> data, label, save, load;
  std::optional<std::vector<Extent>> hidden;
  std::optional<NormalisationKind> normalisation;
  std::optional<std::uint64_t> epochs;  // the model's own if not given
  std::optional<double> rate;
  double test_fraction = 0.2;
  std::size_t optimizer = 0;  // in optimizer_names()
  std::uint64_t batch = 32;
  std::optional<std::uint64_t> steps;
};

std::span<const Setting<TrainArguments>> train_settings();

/// Everything that the loop needs.
TrainingPlan plan_for(const TrainArguments& arguments, const ModelKind& kind, std::uint64_t seed);

/// What no single flag can see: a missing --data, flags that contradict each other or the model.
result<void> check(const TrainArguments& arguments, const ModelKind& kind);

}  // namespace tenon::cli
