// gradient_helpers.h: the few programs that gradient rules and the reverse sweep share, written in operations.
//
// Each records in the recorder of its operand. After an error they are inert like any operation.
#pragma once
#include "tenon/value.h"

namespace tenon {

Shape shape_of(Value x);

Value ones_like(Value x);
Value zeros_like(Value x);

/// The gradient so far, if any, plus one more contribution.
Value accumulate(Value sum, Value more);

/// Adds up what a broadcast from `shape` has repeated.
Value sum_to(Value x, const Shape& shape);

/// All axes of (batch, channels, ...) but the channels, and the sum over them.
Shape all_but_channels(int rank);
Value sum_of_channels(Value x);

/// The last two axes exchanged.
Value transpose(Value x);

/// `x` as `shape`; records nothing where it has that shape.
Value reshape_to(Value x, const Shape& shape);

}  // namespace tenon
