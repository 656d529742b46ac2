#include "tenon/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "csv_cells.h"
#include "csv_scanner.h"
#include "input_file.h"
#include "tenon/text.h"
#include "words.h"

namespace tenon {
namespace {

using namespace data;

struct FirstLineCell {
  std::string text;
  bool in_quotes;
};

bool is_bare_number(const FirstLineCell& cell) { return !cell.in_quotes && parse_double(cell.text).has_value(); }

/// Is this 0, 1, 2, ...: the header that tools write for columns without names?
bool counts_columns(std::span<const double> line) {
  std::size_t next = 0;
  return line.size() > 1 && std::ranges::all_of(line, [&](double x) { return x == static_cast<double>(next++); });
}

class TableReader {
 public:
  TableReader(std::string label, std::string_view text) : label_(std::move(label)), text_(text), scanner_(text) {}

  result<Table> read();

 private:
  result<void> read_first_line();
  result<void> take_names(std::span<const FirstLineCell> cells);
  result<void> take_numbers(std::span<const FirstLineCell> cells);
  result<void> read_row();
  void reserve();
  std::size_t count_fields_left();

  tl::unexpected<Error> refuse(std::string_view what, std::string hint = {}) const;
  tl::unexpected<Error> refuse(std::uint64_t line, std::string_view what, std::string hint = {}) const;
  tl::unexpected<Error> refuse_cell(std::uint64_t line, std::size_t column, std::string_view what) const;
  tl::unexpected<Error> refuse_fields(std::uint64_t line, std::size_t found) const;
  tl::unexpected<Error> refuse_number(std::uint64_t line, std::size_t column, const Cell& cell);

  std::string label_;  // "[csv] FILE"
  std::string_view text_;
  Scanner scanner_;
  Table table_;
};

result<Table> TableReader::read() {
  if (scanner_.nothing_left()) return refuse("found an empty file, expected a header line and rows");
  TENON_CHECK(read_first_line());
  reserve();
  while (!scanner_.nothing_left()) TENON_CHECK(read_row());
  if (table_.rows == 0) return refuse("found a header and no rows, expected at least one row");
  return std::move(table_);
}

/// More than any table has; a line of separators alone must not fill the memory before it is refused.
constexpr std::size_t most_columns = 1'000'000;

result<void> TableReader::read_first_line() {
  std::vector<FirstLineCell> cells;
  do {
    if (cells.size() == most_columns)
      return refuse(1, fmt::format("found more than {} columns, expected that many at most", most_columns));
    const auto cell = scanner_.next();
    if (!cell) return refuse(1, fmt::format("column {}: {}", cells.size() + 1, cell.error()));
    cells.push_back({std::string(cell->text), cell->in_quotes});
  } while (!scanner_.at_line_start());
  return std::ranges::all_of(cells, is_bare_number) ? take_numbers(cells) : take_names(cells);
}

result<void> TableReader::take_names(std::span<const FirstLineCell> cells) {
  for (const auto& [text, in_quotes] : cells) {
    const std::string flaw = in_quotes ? flaw_of_name(text) : flaw_of_bare_name(text);
    if (!flaw.empty()) return refuse(1, fmt::format("column {}: {}", table_.columns.size() + 1, flaw));
    table_.columns.push_back(text);
  }
  const auto same = find_duplicate(table_.columns);
  if (!same) return {};
  return refuse(1, fmt::format("columns {} and {}: found the name {} twice, expected different names", same->first + 1,
                               same->second + 1, quote(table_.columns[same->first])));
}

result<void> TableReader::take_numbers(std::span<const FirstLineCell> cells) {
  table_.has_header = false;
  for (const auto& [text, in_quotes] : cells) {
    table_.columns.push_back(fmt::format("column{}", table_.columns.size()));
    const Cell cell{text, in_quotes, 1};
    const std::optional<double> number = number_in(cell);
    if (!number) return refuse_cell(1, table_.columns.size() - 1, not_a_number(cell));
    table_.values.push_back(*number);
  }
  table_.rows = 1;
  if (!counts_columns(table_.values)) return {};
  return refuse(1, "found 0, 1, 2, ..., which may be a header or data, expected names or other numbers",
                "put a line of names at the top");
}

/// A cell takes two bytes at least, so that a hostile file cannot ask for more than four times its size.
void TableReader::reserve() {
  const std::size_t most = text_.size() / 2 + 1;
  const std::size_t lines = static_cast<std::size_t>(std::ranges::count(text_, '\n')) + 1;
  table_.values.reserve(std::min(most, lines * table_.columns.size()));
}

result<void> TableReader::read_row() {
  const std::uint64_t line = scanner_.line();
  for (std::size_t column = 0; column < table_.columns.size(); ++column) {
    const std::uint64_t cell_line = scanner_.line();
    const auto cell = scanner_.next();
    if (!cell) return refuse_cell(cell_line, column, cell.error());
    const std::optional<double> number = number_in(*cell);
    if (!number) return refuse_number(line, column, *cell);
    const bool is_last = column + 1 == table_.columns.size();
    if (scanner_.at_line_start() != is_last) return refuse_fields(line, column + 1 + count_fields_left());
    table_.values.push_back(*number);
  }
  ++table_.rows;
  return {};
}

std::size_t TableReader::count_fields_left() {
  std::size_t count = 0;
  for (; !scanner_.at_line_start(); ++count) {
    if (!scanner_.next()) break;
  }
  return count;
}

tl::unexpected<Error> TableReader::refuse(std::string_view what, std::string hint) const {
  if (hint.empty()) hint = "name a CSV file with a header line and rows of numbers";
  return fail(Reason::FILE_MALFORMED, fmt::format("{}: {}", label_, what), std::move(hint));
}

tl::unexpected<Error> TableReader::refuse(std::uint64_t line, std::string_view what, std::string hint) const {
  if (hint.empty()) hint = "mend the file at that line";
  return fail(Reason::FILE_MALFORMED, fmt::format("{}:{}: {}", label_, line, what), std::move(hint));
}

tl::unexpected<Error> TableReader::refuse_cell(std::uint64_t line, std::size_t column, std::string_view what) const {
  return refuse(line, fmt::format("column {}: {}", printable(table_.columns[column]), what));
}

tl::unexpected<Error> TableReader::refuse_fields(std::uint64_t line, std::size_t found) const {
  return refuse(line, fmt::format("found {}, expected {}", counted(found, "field"), table_.columns.size()));
}

/// A row of another length says more than the cell that this has put into the wrong column.
tl::unexpected<Error> TableReader::refuse_number(std::uint64_t line, std::size_t column, const Cell& cell) {
  const std::string flaw = not_a_number(cell);
  const std::uint64_t cell_line = cell.line;
  const bool is_blank_line = column == 0 && cell.text.empty() && !cell.in_quotes && scanner_.at_line_start();
  const std::size_t found = column + 1 + count_fields_left();
  if (is_blank_line)
    return refuse(line, fmt::format("found a blank line, expected {}", counted(table_.columns.size(), "field")));
  const bool is_foreign = flaw.ends_with("table, expected commas");
  if (found != table_.columns.size() && !is_foreign) return refuse_fields(line, found);
  return refuse_cell(cell_line, column, flaw);
}

result<std::string> read_text(const InputFile& file) {
  std::string text(file.size_bytes(), '\0');
  TENON_CHECK(file.read_at(0, std::as_writable_bytes(std::span(text))));
  return text;
}

/// The text without its byte-order mark.
result<std::string_view> decode(const InputFile& file, std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return file.refuse(Reason::FILE_MALFORMED, "found UTF-16 text, expected UTF-8", "save it as UTF-8");
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    return file.refuse(Reason::FILE_MALFORMED, fmt::format("found a NUL byte at offset {}, expected text", nul));
  }
  return text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
}

result<Table> read_table(const InputFile& file) {
  TENON_TRY(const std::string bytes, read_text(file));
  TENON_TRY(const std::string_view text, decode(file, bytes));
  return TableReader(file.label(), text).read();
}

}  // namespace

std::optional<std::size_t> Table::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

result<Table> read_csv(const std::filesystem::path& path) {
  TENON_TRY(const InputFile file, InputFile::open("csv", path));
  return within_memory(file, [&] { return read_table(file); });
}

}  // namespace tenon
