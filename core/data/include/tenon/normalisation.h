// normalisation.h: the columns of a matrix brought to one scale: (x - offset) / scale. Plain values; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tenon/export.h"

namespace tenon {

enum class NormalisationKind : std::uint8_t { range, standard, none };
TENON_API const std::vector<std::string>& normalisation_names();  // in the order of the enumeration

struct Normalisation {
  std::vector<double> offset, scale;  // one per column
  friend bool operator==(const Normalisation&, const Normalisation&) = default;
};

/// Fitted on a row-major matrix: `range` maps a column's least and greatest value to 0 and 1, `standard` gives it mean
/// 0 and standard deviation 1. A column that does not vary gets scale 1, one whose scale is beyond binary64
/// not-a-number.
TENON_API Normalisation fit_normalisation(NormalisationKind kind, std::span<const double> rows, std::size_t columns);

TENON_API void normalise(std::span<double> rows, const Normalisation& by);
TENON_API void denormalise(std::span<double> rows, const Normalisation& by);

}  // namespace tenon
