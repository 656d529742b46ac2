#include "training.h"

#include <cmath>

#include "progress.h"
#include "tenon/optimizers.h"
#include "tenon/shuffle.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

/// One epoch, or what is left of the steps.
class Epoch {
 public:
  Epoch(Session& session, Optimizer& optimizer, const TrainingPlan& plan, std::uint64_t& steps)
      : session_(session), optimizer_(optimizer), plan_(plan), steps_(steps) {}

  /// The mean of the steps' losses.
  result<double> run(const Examples& examples) {
    const auto visit = [&](std::uint64_t first, std::uint64_t rows) { return step(examples.batch(first, rows)); };
    TENON_CHECK(for_each_batch(examples.rows, plan_.batch, visit));
    return sum_ / static_cast<double>(rows_);
  }

 private:
  result<void> step(const Batch& batch) {
    if (plan_.steps && steps_ >= *plan_.steps) return {};
    TENON_TRY(const double loss, session_.train_step(batch, optimizer_, plan_.rate));
    TENON_CHECK(check_loss(loss, "in step " + std::to_string(++steps_)));
    sum_ += loss * static_cast<double>(batch.rows);
    rows_ += batch.rows;
    return {};
  }

  Session& session_;
  Optimizer& optimizer_;
  const TrainingPlan& plan_;
  std::uint64_t& steps_;
  double sum_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace

result<void> check_loss(double loss, const std::string& when) {
  if (std::isfinite(loss)) return {};
  return fail(Reason::INVALID_ARGUMENT,
              "[train] the training diverged: found the loss " + (std::isnan(loss) ? "nan" : shortest(loss)) + " " +
                  when + ", expected a finite one",
              "use a smaller --rate, or --normalise range");
}

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const optim::Named& optimizer : optim::all()) out.emplace_back(optimizer.name);
    return out;
  }();
  return names;
}

OptimizerSpec optimizer_spec(std::size_t name) { return optim::all()[name].spec; }

result<std::uint64_t> train(Session& session, Optimizer& optimizer, const Examples& examples,
                            const TrainingPlan& plan) {
  Progress progress(plan.epochs);
  std::uint64_t steps = 0;
  for (std::uint64_t epoch = 1; epoch <= plan.epochs && (!plan.steps || steps < *plan.steps); ++epoch) {
    const Examples shuffled = examples.taken(permutation(examples.rows, plan.seed, epoch));
    const auto loss = Epoch(session, optimizer, plan, steps).run(shuffled);
    if (!loss) progress.finish();
    if (!loss) return fail(loss.error());
    progress.epoch(epoch, *loss);
  }
  progress.finish();
  return steps;
}

}  // namespace tenon::cli
