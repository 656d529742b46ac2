// dropout.h: random zeros in training, nothing in evaluation. A composition of operations, so every device has it.
// Which draw it takes depends on its place among the random operations recorded (see typed_ops.h on order).
#pragma once
#include "tenon/typed_ops.h"

namespace tenon {

/// x times a mask that is 1 with probability `keep`, divided by `keep`; x itself where the program is recorded for
/// evaluation.
inline Value dropout(Value x, double keep) {
  Recorder& recorder = *x.recorder;
  if (!recorder.training()) return x;
  if (!(keep > 0 && keep <= 1)) {
    recorder.fail_with({Reason::INVALID_ARGUMENT, "[dropout] keep must lie in (0, 1]", {}});
    return x;
  }
  const Value mask = bernoulli_mask(recorder, Keep{recorder.shape(x), keep});
  return scale(mul(x, mask), Factor{1 / keep});
}

template <TypedOperand T>
auto dropout(const T& x, double keep) {
  if constexpr (std::same_as<T, Poison>)
    return x;
  else
    return TensorOf<T::shape>(dropout(x.value, keep));
}

}  // namespace tenon
