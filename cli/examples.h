// examples.h: rows ready for a session: normalised features with labels, and batches of them. Owns its numbers.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/session.h"

namespace tenon::cli {

/// A regression has targets, a classification has labels.
struct Examples {
  std::uint64_t rows = 0;
  std::vector<double> x, targets;
  std::vector<std::uint32_t> labels;

  std::size_t width() const { return rows == 0 ? 0 : x.size() / rows; }
  Examples taken(std::span<const std::uint64_t> order) const;
  /// A view of `count` rows; valid while this lives and does not change.
  Batch batch(std::uint64_t first, std::uint64_t count) const;
};

/// The sizes that cutting `rows` rows into batches of `size` brings: full and last.
std::vector<std::uint64_t> batch_sizes(std::uint64_t rows, std::uint64_t size);

/// Calls visit(first row, rows) for each batch, the last, smaller one included, until it fails.
template <class Visit>
result<void> for_each_batch(std::uint64_t rows, std::uint64_t size, Visit visit) {
  for (std::uint64_t first = 0; first < rows; first += size) TENON_CHECK(visit(first, std::min(size, rows - first)));
  return {};
}

inline constexpr std::uint64_t evaluation_rows = 256;

/// The forward program's outputs for all rows, in batches of evaluation_rows.
result<std::vector<double>> evaluate(Session& session, const Examples& examples);

/// The mean loss over all rows.
result<double> mean_loss(Session& session, const Examples& examples);

/// For each row the column of the greatest value; the first one of equals.
std::vector<std::uint32_t> greatest_columns(std::span<const double> rows, std::size_t columns);

}  // namespace tenon::cli
