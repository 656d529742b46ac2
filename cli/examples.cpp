#include "examples.h"

#include <algorithm>

#include "tenon/shuffle.h"

namespace tenon::cli {

Examples Examples::taken(std::span<const std::uint64_t> order) const {
  Examples out{.rows = order.size(), .x = take_rows(std::span(x), width(), order), .targets = {}, .labels = {}};
  if (!targets.empty()) out.targets = take_rows(std::span(targets), 1, order);
  if (!labels.empty()) out.labels = take_rows(std::span(labels), 1, order);
  return out;
}

Batch Examples::batch(std::uint64_t first, std::uint64_t count) const {
  Batch out{.rows = count, .reals = {std::span(x).subspan(first * width(), count * width())}, .naturals = {}};
  if (!targets.empty()) out.reals.push_back(std::span(targets).subspan(first, count));
  if (!labels.empty()) out.naturals.push_back(std::span(labels).subspan(first, count));
  return out;
}

std::vector<std::uint64_t> batch_sizes(std::uint64_t rows, std::uint64_t size) {
  std::vector<std::uint64_t> out;
  if (rows >= size) out.push_back(size);
  if (rows % size != 0) out.push_back(rows % size);
  return out;
}

result<std::vector<double>> evaluate(Session& session, const Examples& examples) {
  std::vector<double> out;
  TENON_CHECK(
      for_each_batch(examples.rows, evaluation_rows, [&](std::uint64_t first, std::uint64_t rows) -> result<void> {
        Batch batch = examples.batch(first, rows);
        batch.reals.resize(1);
        batch.naturals.clear();
        TENON_TRY(const std::vector<double> values, session.evaluate(batch));
        out.insert(out.end(), values.begin(), values.end());
        return {};
      }));
  return out;
}

result<double> mean_loss(Session& session, const Examples& examples) {
  double sum = 0;
  TENON_CHECK(
      for_each_batch(examples.rows, evaluation_rows, [&](std::uint64_t first, std::uint64_t rows) -> result<void> {
        TENON_TRY(const double loss, session.loss(examples.batch(first, rows)));
        sum += loss * static_cast<double>(rows);
        return {};
      }));
  return sum / static_cast<double>(examples.rows);
}

std::vector<std::uint32_t> greatest_columns(std::span<const double> rows, std::size_t columns) {
  std::vector<std::uint32_t> out;
  for (std::size_t first = 0; first < rows.size(); first += columns) {
    const auto row = rows.subspan(first, columns);
    out.push_back(static_cast<std::uint32_t>(std::ranges::max_element(row) - row.begin()));
  }
  return out;
}

}  // namespace tenon::cli
