// draw_case.h: the operands of a conformance case, its reference, and both as bytes. Plain functions; any thread.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "tenon/dtype.h"
#include "tenon/op_table.h"

namespace tenon::check {

/// Values as the device will see them: rounded to its storage type.
TENON_API std::vector<HostArray> operands_of(Op op, const Case& c, DType real);

/// What kernels of the operation receive: elementwise operands repeated to one shape, as a program would record them.
TENON_API std::vector<HostArray> as_kernels_receive(Op op, std::vector<HostArray> operands,
                                                    const Attributes& attributes);

/// The result in double precision; operands may differ in shape.
TENON_API std::vector<HostArray> reference_of(Op op, const Case& c, std::vector<HostArray> operands);

TENON_API std::vector<std::byte> to_bytes(const HostArray& array, DType dtype);
/// Of a real dtype.
TENON_API std::vector<double> to_doubles(std::span<const std::byte> bytes, DType dtype);

/// NaN payloads are not defined: every NaN becomes the same.
TENON_API std::vector<std::byte> with_one_nan(std::vector<std::byte> bytes, DType real);

/// Within `tolerance` relative to max(1, |expected|); NaN and infinities as they are.
TENON_API bool agrees(double found, double expected, double tolerance);

}  // namespace tenon::check
