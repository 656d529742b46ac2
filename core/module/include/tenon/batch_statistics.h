// batch_statistics.h: what a batch normalisation subtracts and divides by. Records operations; owns nothing.
#pragma once
#include "tenon/value.h"

namespace tenon {

struct Statistics {
  Value mean, variance;  // one number for each channel
};

/// Of x (batch, channels, ...): in training the batch's own mean and population variance, which also move the running
/// ones by a tenth of the way, as in PyTorch towards the unbiased variance; in evaluation the running ones. The
/// recorder fails in training where a channel has fewer than two numbers, which have no unbiased variance.
TENON_API Statistics batch_statistics(Value x, Value running_mean, Value running_variance);

}  // namespace tenon
