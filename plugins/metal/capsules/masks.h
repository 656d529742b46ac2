// masks.h: the constants of a softmax under masks.
//
// Pure; any thread.
#pragma once
#include "walk.h"

namespace tenon::metal {

/// `matrices` goes over where the matrix of each mask begins.
inline tenon_metal::MaskedRows masked_rows(const Walk& matrices, std::uint64_t rows_per_matrix, std::uint64_t rows,
                                           std::uint64_t length) {
  tenon_metal::MaskedRows constants{};
  const Walk* walks[] = {&matrices};
  put_walks(constants.extents, constants.strides, walks);
  constants.axes = count32(matrices.axes().size());
  constants.rows_per_matrix = count32(rows_per_matrix);
  constants.count = count32(rows);
  constants.n = count32(length);
  return constants;
}

}  // namespace tenon::metal
