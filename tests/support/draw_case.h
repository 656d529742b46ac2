// draw_case.h: the operands of a conformance case, and its reference: those of `tenon check`.
#pragma once
#include "tenon/draw_case.h"

namespace tenon::test {

using check::agrees;
using check::operands_of;
using check::reference_of;
using check::to_bytes;
using check::to_doubles;
using check::with_one_nan;

}  // namespace tenon::test
