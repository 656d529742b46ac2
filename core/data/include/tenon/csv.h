// csv.h: tables of numbers in comma-separated text (RFC 4180).
//
// Plain values and functions; any thread may call them. A cell that is not a finite number is an error, as is every
// form of table that is not read; each error names file, line, column, what was found and what was expected.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/atomic_file.h"
#include "tenon/export.h"
#include "tenon/result.h"

namespace tenon {

struct Table {
  std::vector<std::string> columns;  // unique names
  std::uint64_t rows = 0;            // at least 1 when read from a file
  std::vector<double> values;        // row-major, rows x columns
  bool has_header = true;            // false: the file had none, and the columns are called column0, column1, ...

  /// Position of the column with this name.
  TENON_API std::optional<std::size_t> column(std::string_view name) const;
};

/// Reads a whole table. UTF-8 with or without byte-order mark, LF or CRLF, with or without a final line end, cells in
/// quotes or bare (blanks around a bare cell do not count), blank lines only at the end.
///
/// The first line is the header, unless all its cells are bare numbers: then it is data. The one exception is a line
/// that counts 0, 1, 2, ..., which tools write as header for columns without names: it is refused.
TENON_API result<Table> read_csv(const std::filesystem::path& path);

/// Writes a table, whole or not at all (atomic_file.h), with the shortest digits that read back as the same number.
/// `values` holds rows x columns numbers, row-major. Names must be such that read_csv finds the same ones again. Not-a-
/// number and infinity are written as nan and inf, which read_csv refuses.
TENON_API result<void> write_csv(const std::filesystem::path& path, std::span<const std::string> columns,
                                 std::uint64_t rows, std::span<const double> values);

/// The same up to the last step: the file takes its place with commit(), and is as if never written without.
TENON_API result<AtomicFile> stage_csv(const std::filesystem::path& path, std::span<const std::string> columns,
                                       std::uint64_t rows, std::span<const double> values);

}  // namespace tenon
