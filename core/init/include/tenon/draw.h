// draw.h: the values of an initialiser in host memory, the same bits that every device gives. Pure; any thread.
#pragma once
#include <span>

#include "tenon/float_init.h"

namespace tenon {

/// Fills `values`, each rounded once to its type. Refuses what `validate` refuses.
TENON_API result<void> draw(const FloatInit& scheme, std::span<double> values);
TENON_API result<void> draw(const FloatInit& scheme, std::span<float> values);

/// `elements` of them, in binary64.
TENON_API result<std::vector<double>> float_array_of(Extent elements, const FloatInit& scheme);

/// Number of elements of a shape of known extents; 1 for a scalar.
constexpr Extent dim_product(const Shape& shape) { return known_elements(shape); }

}  // namespace tenon
