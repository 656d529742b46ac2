#include "tenon/batch_statistics.h"

#include "tenon/gradient_helpers.h"
#include "tenon/ops.h"

namespace tenon {
namespace {

constexpr double weight_of_batch = 0.1;

/// How many numbers each channel of x has; nothing while an extent is unknown.
std::optional<Extent> count_for_each_channel(const Shape& x) {
  if (!is_static(x)) return std::nullopt;
  return known_elements(x) / std::max(x[1], Extent{1});
}

/// From the population variance to the unbiased one; what it tends to where the count is unknown, which no real count
/// gives: a text with names does not stand for numbers then.
double unbiased_factor(std::optional<Extent> count) {
  return count ? static_cast<double>(*count) / static_cast<double>(*count - 1) : 1;
}

void move(Value running, Value batch, double factor) {
  const Value moved = add(scale(running, Factor{1 - weight_of_batch}), scale(batch, Factor{factor}));
  running.recorder->update_state(running, moved);
}

}  // namespace

Statistics batch_statistics(Value x, Value running_mean, Value running_variance) {
  Recorder& recorder = *x.recorder;
  if (!recorder.training() || recorder.failed()) return {running_mean, running_variance};
  const Shape shape = recorder.shape(x);
  if (shape.rank < 2) return {running_mean, running_variance};  // batch_norm refuses it, in words
  const std::optional<Extent> count = count_for_each_channel(shape);
  if (count && *count < 2) {
    recorder.fail_with({Reason::SHAPE_MISMATCH,
                        "[batch_norm] x " + to_string(shape) + ": found " + std::to_string(*count) +
                            (*count == 1 ? " number" : " numbers") +
                            " for each channel, expected at least 2 in training",
                        "train on larger batches"});
    return {running_mean, running_variance};
  }
  const Shape axes = all_but_channels(shape.rank), channels(shape[1]);
  const Value mean = reduce_mean(x, Axes{axes, true});
  const Value centred = sub(x, mean);
  const Value variance = reduce_mean(mul(centred, centred), Axes{axes});
  const Statistics own{reshape(mean, Target{channels}), variance};
  move(running_mean, own.mean, weight_of_batch);
  move(running_variance, own.variance, weight_of_batch * unbiased_factor(count));
  return own;
}

}  // namespace tenon
