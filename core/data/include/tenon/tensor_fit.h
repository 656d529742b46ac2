// tensor_fit.h: does a file hold the tensors that are asked of it? What is wrong comes as lines that people read, all
// of them at once. Pure functions of plain values; any thread.
#pragma once
#include <functional>
#include <span>

#include "tenon/safetensors.h"

namespace tenon {

struct ExpectedTensor {
  std::string name;
  Shape shape;
  DType dtype;
};

/// "f32 (16, 2)"
TENON_API std::string type_text(DType dtype, const Shape& shape);

/// "missing b: the program has f32 (3)": a line for each tensor that is missing, that has another shape or dtype, or
/// that nobody asked for. f32 is as good as f64; the other way round is "too wide". `owner` is who asks: "program".
/// Tensors that are not expected and that `passed_over` answers true for are no business of the owner's.
TENON_API std::vector<std::string> misfits(const TensorFile& file, std::span<const ExpectedTensor> expected,
                                           std::string_view owner,
                                           const std::function<bool(std::string_view)>& passed_over = {});

/// Are all the problems tensors that are too wide?
TENON_API bool are_too_wide(std::span<const std::string> problems);

/// CHECKPOINT_MISMATCH: "`place` does not fit `whom`:" with the first 20 problems. Where all are
/// too wide the hint says what helps; else it is `hint`.
TENON_API tl::unexpected<Error> misfit_error(std::string_view place, std::string_view whom,
                                             std::span<const std::string> problems, std::string hint);

/// CHECKPOINT_MISMATCH if the metadata name another format. A file that names none, such as plain tensors, may be
/// meant.
TENON_API result<void> check_format(std::string_view place, const TensorFile& file, std::string_view format,
                                    std::string hint);

/// The elements of a tensor that fits, in the width that was asked for: f32 as f64, exactly.
TENON_API std::vector<std::byte> bytes_as(const NamedTensor& tensor, DType dtype);

}  // namespace tenon
