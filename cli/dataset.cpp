#include "dataset.h"

#include <algorithm>
#include <cmath>

#include "tenon/flags.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::uint64_t most_classes = 65536;

using Columns = std::vector<std::size_t>;

/// A table with its file, and the reason for which it is refused.
struct Source {
  Table table;
  const std::filesystem::path& file;
  Reason refusal = Reason::DATA_MISMATCH;

  tl::unexpected<Error> mismatch(const std::string& text, std::string hint = {}) const {
    return fail(refusal, "[data] " + file.string() + ": " + text, std::move(hint));
  }
};

result<std::size_t> named_column(const Source& source, const std::string& wanted) {
  const Table& table = source.table;
  if (const auto column = table.column(wanted)) return *column;
  return source.mismatch(
      "no column named \"" + wanted + "\": found " + join(table.columns) + ", expected the label column",
      suggestion(wanted, table.columns));
}

/// Where the user names none.
std::size_t usual_label(const Table& table) {
  const auto named = table.column("label");
  return named ? *named : table.column("target").value_or(table.columns.size() - 1);
}

Columns all_but(const Table& table, std::size_t label) {
  Columns out;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (column != label) out.push_back(column);
  return out;
}

/// The values of some columns, row-major.
std::vector<double> take_columns(const Table& table, const Columns& columns) {
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

/// Those that a model knows, in its order.
result<Columns> model_columns(const Source& source, std::span<const std::string> features, const std::string& label) {
  if (const std::string differs = difference(features, source.table, label); !differs.empty())
    return source.mismatch("its columns are not the model's: " + differs + ", expected the " +
                           std::to_string(features.size()) + " feature columns it was trained on");
  Columns columns;
  for (const std::string& name : features) columns.push_back(*source.table.column(name));
  return columns;
}

Dataset make_dataset(const Source& source, const Columns& features, std::size_t label) {
  const Table& table = source.table;
  Dataset data{.file = source.file,
               .features = {},
               .label = table.columns[label],
               .rows = table.rows,
               .has_header = table.has_header,
               .x = take_columns(table, features),
               .y = take_columns(table, Columns{label})};
  for (const std::size_t column : features) data.features.push_back(table.columns[column]);
  return data;
}

}  // namespace

result<Dataset> read_dataset(const std::filesystem::path& file, const std::optional<std::string>& label) {
  TENON_TRY(Table table, read_csv(file));
  const Source source{std::move(table), file};
  std::size_t y = usual_label(source.table);
  if (label) {
    TENON_TRY(y, named_column(source, *label));
  }
  if (source.table.columns.size() == 1)
    return source.mismatch("found the label column \"" + source.table.columns[y] + "\" alone, expected features too");
  return make_dataset(source, all_but(source.table, y), y);
}

result<Dataset> read_dataset_for(const std::filesystem::path& file, std::span<const std::string> features,
                                 const std::string& label) {
  TENON_TRY(Table table, read_csv(file));
  const Source source{std::move(table), file, Reason::CHECKPOINT_MISMATCH};
  TENON_TRY(const std::size_t y, named_column(source, label));
  TENON_TRY(const Columns columns, model_columns(source, features, label));
  return make_dataset(source, columns, y);
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
  TENON_TRY(Table table, read_csv(file));
  const Source source{std::move(table), file};
  TENON_TRY(const Columns columns, model_columns(source, features, label));
  return take_columns(source.table, columns);
}

}  // namespace tenon::cli
