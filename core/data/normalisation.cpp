#include "tenon/normalisation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon {
namespace {

/// Calls visit(column, value) for every element.
template <class Rows, class Visit>
void for_each_element(const Rows& rows, std::size_t columns, Visit visit) {
  for (std::size_t i = 0; i < rows.size(); ++i) visit(i % columns, rows[i]);
}

Normalisation identity(std::size_t columns) {
  return {std::vector<double>(columns, 0.0), std::vector<double>(columns, 1.0)};
}

/// A scale beyond binary64 makes its column's values not-a-number, so that they cannot pass for scaled ones.
double usable(double scale) {
  if (!std::isfinite(scale)) return std::numeric_limits<double>::quiet_NaN();
  return scale > 0 ? scale : 1.0;
}

Normalisation fit_range(std::span<const double> rows, std::size_t columns) {
  std::vector<double> least(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(columns)), greatest = least;
  for_each_element(rows, columns, [&](std::size_t c, double x) {
    least[c] = std::min(least[c], x);
    greatest[c] = std::max(greatest[c], x);
  });
  Normalisation out{least, greatest};
  for (std::size_t c = 0; c < columns; ++c) out.scale[c] = usable(greatest[c] - least[c]);
  return out;
}

Normalisation fit_standard(std::span<const double> rows, std::size_t columns) {
  const double count = static_cast<double>(rows.size() / columns);
  Normalisation out{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
  for_each_element(rows, columns, [&](std::size_t c, double x) { out.offset[c] += x / count; });
  for_each_element(rows, columns,
                   [&](std::size_t c, double x) { out.scale[c] += (x - out.offset[c]) * (x - out.offset[c]) / count; });
  for (double& variance : out.scale) variance = usable(std::sqrt(variance));
  return out;
}

}  // namespace

const std::vector<std::string>& normalisation_names() {
  static const std::vector<std::string> names{"range", "standard", "none"};
  return names;
}

Normalisation fit_normalisation(NormalisationKind kind, std::span<const double> rows, std::size_t columns) {
  if (rows.empty() || kind == NormalisationKind::none) return identity(columns);
  return kind == NormalisationKind::range ? fit_range(rows, columns) : fit_standard(rows, columns);
}

void normalise(std::span<double> rows, const Normalisation& by) {
  for_each_element(rows, by.offset.size(), [&](std::size_t c, double& x) { x = (x - by.offset[c]) / by.scale[c]; });
}

void denormalise(std::span<double> rows, const Normalisation& by) {
  for_each_element(rows, by.offset.size(), [&](std::size_t c, double& x) { x = x * by.scale[c] + by.offset[c]; });
}

}  // namespace tenon
