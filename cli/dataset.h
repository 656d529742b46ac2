// dataset.h: a table as examples: feature columns and one label column. Plain values.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tenon/csv.h"

namespace tenon::cli {

struct Dataset {
  std::filesystem::path file;
  std::vector<std::string> features;
  std::string label;
  std::uint64_t rows = 0;
  bool has_header = true;
  std::vector<double> x;  // rows x features
  std::vector<double> y;  // rows

  std::size_t width() const { return features.size(); }
  /// The line of the file that a row stands in.
  std::uint64_t line(std::uint64_t row) const { return row + (has_header ? 2 : 1); }
};

/// Reads a file. The label column is the one named, else `label`, else `target`, else the last; all others are
/// features.
result<Dataset> read_dataset(const std::filesystem::path& file, const std::optional<std::string>& label);

/// Reads a file for a model that knows its columns: the features are those, in that order. CHECKPOINT_MISMATCH if the
/// file has others.
result<Dataset> read_dataset_for(const std::filesystem::path& file, std::span<const std::string> features,
                                 const std::string& label);

/// Labels as class numbers; one that is not a whole number from 0 to `classes` - 1 is an error with its line;
/// `next` is its next step.
result<std::vector<std::uint32_t>> class_numbers(const Dataset& data, std::uint64_t classes, std::string next = {});

/// How many classes the data have if their labels say it: the greatest label + 1.
result<std::uint64_t> count_classes(const Dataset& data);

/// The columns `features` of a file, in that order, rows x features; a column named `label` does not count.
result<std::vector<double>> read_features(const std::filesystem::path& file, std::span<const std::string> features,
                                          const std::string& label);

/// DATA_MISMATCH that names the column if normalising has led out of the numbers: values wider apart than binary64
/// holds.
result<void> check_scaled(std::span<const double> rows, std::span<const std::string> columns,
                          const std::filesystem::path& file);

}  // namespace tenon::cli
