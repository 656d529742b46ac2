#include "dataset.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "table.h"
#include "tenon/flags.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::uint64_t most_classes = 65536;
constexpr std::size_t most_listed = 10;  // names in an error

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
  const std::string meant = suggestion(wanted, table.columns);
  return source.mismatch("no column named \"" + shown(wanted) + "\": found " + listed(table.columns, most_listed) +
                             ", expected the label column",
                         meant.empty() ? "name one of the file's columns with --label" : meant);
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

auto bad_label(const Dataset& data, std::uint64_t row, std::uint64_t classes, std::string next) {
  return fail(Reason::DATA_MISMATCH,
              "[data] " + data.file.string() + ":" + std::to_string(data.line(row)) + ": column " + data.label +
                  ": found the label " + shortest(data.y[row]) + ", expected a whole number from 0 to " +
                  std::to_string(classes - 1),
              next.empty() ? "mend the label at that line, or choose another column with --label" : std::move(next));
}

/// "no column c; column d is not the model's", or nothing.
std::string difference(std::span<const std::string> wanted, const Table& table, const std::string& label) {
  std::vector<std::string> parts;
  for (const std::string& name : wanted)
    if (!table.column(name)) parts.push_back("missing \"" + name + "\"");
  for (const std::string& name : table.columns)
    if (name != label && std::ranges::find(wanted, name) == wanted.end()) parts.push_back("not known \"" + name + "\"");
  return listed(parts, most_listed);
}

/// Those that a model knows, in its order.
result<Columns> model_columns(const Source& source, std::span<const std::string> features, const std::string& label) {
  if (const std::string differs = difference(features, source.table, label); !differs.empty())
    return source.mismatch("its columns are not the model's: " + differs + ", expected the " +
                               counted(features.size(), "feature column") + " it was trained on",
                           "give the file a header with the model's columns, or load another checkpoint");
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

/// Says so where a first line of numbers was taken for data: it may have been meant as a header.
result<Table> read_table(const std::filesystem::path& file) {
  TENON_TRY(Table table, read_csv(file));
  if (!table.has_header)
    std::cerr << "note: " << file.string() << " has no header line: columns are " << table.columns.front()
              << (table.columns.size() > 1 ? " ... " + table.columns.back() : std::string()) << "\n";
  return table;
}

}  // namespace

result<void> check_scaled(std::span<const double> rows, std::span<const std::string> columns,
                          const std::filesystem::path& file) {
  const auto wrong = std::ranges::find_if_not(rows, [](double x) { return std::isfinite(x); });
  if (wrong == rows.end()) return {};
  const std::size_t column = static_cast<std::size_t>(wrong - rows.begin()) % columns.size();
  return fail(Reason::DATA_MISMATCH,
              "[data] " + file.string() + ": column " + columns[column] +
                  ": found values too far apart to normalise, expected differences within binary64",
              "give the column in another unit, or leave it out");
}

result<Dataset> read_dataset(const std::filesystem::path& file, const std::optional<std::string>& label) {
  TENON_TRY(Table table, read_table(file));
  const Source source{std::move(table), file};
  std::size_t y = usual_label(source.table);
  if (label) {
    TENON_TRY(y, named_column(source, *label));
  }
  if (source.table.columns.size() == 1)
    return source.mismatch("found the label column \"" + source.table.columns[y] + "\" alone, expected features too",
                           "add columns of features");
  return make_dataset(source, all_but(source.table, y), y);
}

result<Dataset> read_dataset_for(const std::filesystem::path& file, std::span<const std::string> features,
                                 const std::string& label) {
  TENON_TRY(Table table, read_table(file));
  const Source source{std::move(table), file, Reason::CHECKPOINT_MISMATCH};
  TENON_TRY(const std::size_t y, named_column(source, label));
  TENON_TRY(const Columns columns, model_columns(source, features, label));
  return make_dataset(source, columns, y);
}

result<std::vector<std::uint32_t>> class_numbers(const Dataset& data, std::uint64_t classes, std::string next) {
  std::vector<std::uint32_t> out;
  out.reserve(data.rows);
  for (std::uint64_t row = 0; row < data.rows; ++row) {
    const double label = data.y[row];
    if (!(label >= 0 && label < static_cast<double>(classes)) || label != std::floor(label))
      return bad_label(data, row, classes, std::move(next));
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
  TENON_TRY(Table table, read_table(file));
  const Source source{std::move(table), file};
  TENON_TRY(const Columns columns, model_columns(source, features, label));
  return take_columns(source.table, columns);
}

}  // namespace tenon::cli
