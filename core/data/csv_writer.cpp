#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "csv_cells.h"
#include "tenon/atomic_file.h"
#include "tenon/csv.h"
#include "tenon/text.h"
#include "words.h"

namespace tenon {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

/// A bare name that is a number would let the header pass for data.
bool may_stand_bare(std::string_view name) {
  return std::ranges::all_of(name, is_word_character) && !parse_double(name);
}

std::string header_cell(const std::string& name) {
  if (may_stand_bare(name)) return name;
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

tl::unexpected<Error> refuse_table(const std::filesystem::path& path, std::string_view what) {
  return fail(Reason::INVALID_ARGUMENT, fmt::format("[csv] {}: {}", path.string(), what));
}

result<void> check_names(const std::filesystem::path& path, std::span<const std::string> columns) {
  if (columns.empty()) return refuse_table(path, "found no columns, expected at least one");
  for (const std::string& name : columns) {
    if (const std::string flaw = data::flaw_of_name(name); !flaw.empty()) return refuse_table(path, flaw);
    if (name.find('\0') != std::string::npos)
      return refuse_table(path, "found a NUL byte in a column name, expected text");
  }
  const auto same = data::find_duplicate(columns);
  if (!same) return {};
  return refuse_table(path,
                      fmt::format("found two columns {}, expected different names", data::quote(columns[same->first])));
}

result<void> check_size(const std::filesystem::path& path, std::size_t columns, std::uint64_t rows,
                        std::size_t values) {
  if (values / columns == rows && values % columns == 0) return {};
  return refuse_table(path, fmt::format("found {} values, expected {} rows of {} columns", values, rows, columns));
}

result<void> write_header(AtomicFile& file, std::span<const std::string> columns) {
  std::string line;
  for (const std::string& name : columns) line.append(line.empty() ? "" : ",").append(header_cell(name));
  return file.write(line + '\n');
}

result<void> write_values(AtomicFile& file, std::size_t columns, std::span<const double> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text.append(std::isnan(values[i]) ? "nan" : shortest(values[i])).append((i + 1) % columns == 0 ? "\n" : ",");
    if (text.size() < buffer_bytes) continue;
    TENON_CHECK(file.write(text));
    text.clear();
  }
  return file.write(text);
}

}  // namespace

result<AtomicFile> stage_csv(const std::filesystem::path& path, std::span<const std::string> columns,
                             std::uint64_t rows, std::span<const double> values) {
  TENON_CHECK(check_names(path, columns));
  TENON_CHECK(check_size(path, columns.size(), rows, values.size()));
  TENON_TRY(AtomicFile file, AtomicFile::create(path));
  TENON_CHECK(write_header(file, columns));
  TENON_CHECK(write_values(file, columns.size(), values));
  return file;
}

result<void> write_csv(const std::filesystem::path& path, std::span<const std::string> columns, std::uint64_t rows,
                       std::span<const double> values) {
  TENON_TRY(AtomicFile file, stage_csv(path, columns, rows, values));
  return file.commit();
}

}  // namespace tenon
