// training.h: the training loop. Uses a session; owns nothing beyond its call.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "examples.h"

namespace tenon::cli {

struct TrainingPlan {
  std::uint64_t epochs, batch, seed;
  std::optional<std::uint64_t> steps;  // at most so many in all
  double rate;
};

/// The names that --optimizer takes, and the update behind each.
const std::vector<std::string>& optimizer_names();
OptimizerSpec optimizer_spec(std::size_t name);

/// INVALID_ARGUMENT unless the loss is finite; `when` is "in step 3" or the like.
result<void> check_loss(double loss, const std::string& when);

/// Takes the steps; answers how many. Epoch e visits the rows in the order permutation(rows, seed, e). A loss that is
/// not finite ends it with an error.
result<std::uint64_t> train(Session& session, Optimizer& optimizer, const Examples& examples, const TrainingPlan& plan);

}  // namespace tenon::cli
