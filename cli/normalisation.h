// normalisation.h: features brought to one scale: (x - offset) / scale, column by column. Plain values.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tenon::cli {

enum class NormalisationKind : std::uint8_t { range, standard, none };
const std::vector<std::string>& normalisation_names();  // in the order of the enumeration

struct Normalisation {
  std::vector<double> offset, scale;  // one per column
  friend bool operator==(const Normalisation&, const Normalisation&) = default;
};

/// Fitted on a row-major matrix: `range` maps a column's least and greatest value to 0 and 1, `standard` gives it mean
/// 0 and standard deviation 1. A column that does not vary gets scale 1, one whose scale is beyond binary64
/// not-a-number.
Normalisation fit(NormalisationKind kind, std::span<const double> rows, std::size_t columns);

void normalise(std::span<double> rows, const Normalisation& by);
void denormalise(std::span<double> rows, const Normalisation& by);

}  // namespace tenon::cli
