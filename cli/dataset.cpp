#include "dataset.h"

#include <algorithm>
#include <cmath>

#include "tenon/flags.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::uint64_t most_classes = 65536;

auto mismatch(const std::filesystem::path& file, const std::string& text, std::string hint = {}) {
  return fail(Reason::DATA_MISMATCH, "[data] " + file.string() + ": " + text, std::move(hint));
}

result<std::size_t> label_column(const Table& table, const std::filesystem::path& file,
                                 const std::optional<std::string>& wanted) {
  if (!wanted) {
    const auto named = table.column("label");
    return named ? *named : table.column("target").value_or(table.columns.size() - 1);
  }
  if (const auto column = table.column(*wanted)) return *column;
  return mismatch(file,
                  "no column named \"" + *wanted + "\": found " + join(table.columns) + ", expected the label column",
                  suggestion(*wanted, table.columns));
}

/// The values of some columns, row-major.
std::vector<double> take_columns(const Table& table, std::span<const std::size_t> columns) {
  std::vector<double> out;
  out.reserve(table.rows * columns.size());
  for (std::uint64_t row = 0; row < table.rows; ++row)
    for (const std::size_t column : columns) out.push_back(table.values[row * table.columns.size() + column]);
  return out;
}

auto bad_label(const Dataset& data, std::uint64_t row, std::uint64_t classes) {
  return fail(Reason::DATA_MISMATCH, "[data] " + data.file.string() + ":" + std::to_string(data.line(row)) +
                                         ": column " + data.label + ": found the label " + shortest(data.y[row]) +
                                         ", expected a whole number from 0 to " + std::to_string(classes - 1));
}

/// "no column c; column d is not the model's", or nothing.
std::string difference(std::span<const std::string> wanted, const Table& table, const std::string& label) {
  std::vector<std::string> parts;
  for (const std::string& name : wanted)
    if (!table.column(name)) parts.push_back("missing \"" + name + "\"");
  for (const std::string& name : table.columns)
    if (name != label && std::ranges::find(wanted, name) == wanted.end()) parts.push_back("not known \"" + name + "\"");
  constexpr std::size_t shown = 8;
  if (parts.size() <= shown) return join(parts);
  const std::string more = std::to_string(parts.size() - shown) + " more";
  parts.resize(shown);
  return join(parts) + " and " + more;
}

}  // namespace

result<Dataset> read_dataset(const std::filesystem::path& file, const std::optional<std::string>& label) {
  TENON_TRY(const Table table, read_csv(file));
  TENON_TRY(const std::size_t y, label_column(table, file, label));
  Dataset data{.file = file,
               .features = {},
               .label = table.columns[y],
               .rows = table.rows,
               .has_header = table.has_header,
               .x = {},
               .y = take_columns(table, std::vector{y})};
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (column == y) continue;
    columns.push_back(column);
    data.features.push_back(table.columns[column]);
  }
  if (columns.empty())
    return mismatch(file, "found the label column \"" + data.label + "\" alone, expected features too");
  data.x = take_columns(table, columns);
  return data;
}

result<std::vector<std::uint32_t>> class_numbers(const Dataset& data, std::uint64_t classes) {
  std::vector<std::uint32_t> out;
  out.reserve(data.rows);
  for (std::uint64_t row = 0; row < data.rows; ++row) {
    const double label = data.y[row];
    if (!(label >= 0 && label < static_cast<double>(classes)) || label != std::floor(label))
      return bad_label(data, row, classes);
    out.push_back(static_cast<std::uint32_t>(label));
  }
  return out;
}

result<std::uint64_t> count_classes(const Dataset& data) {
  TENON_TRY(const std::vector<std::uint32_t> labels, class_numbers(data, most_classes));
  return std::uint64_t{1} + *std::ranges::max_element(labels);
}

result<std::vector<double>> read_features(const std::filesystem::path& file, std::span<const std::string> features,
                                          const std::string& label) {
  TENON_TRY(const Table table, read_csv(file));
  if (const std::string differs = difference(features, table, label); !differs.empty())
    return mismatch(file, "its columns are not the model's: " + differs + ", expected the " +
                              std::to_string(features.size()) + " feature columns it was trained on");
  std::vector<std::size_t> columns;
  for (const std::string& name : features) columns.push_back(*table.column(name));
  return take_columns(table, columns);
}

}  // namespace tenon::cli
