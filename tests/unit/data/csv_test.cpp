#include "tenon/csv.h"

#include <gtest/gtest.h>

#include <limits>

#include "temp_folder.h"

namespace tenon {
namespace {

using test::TempFolder;

const std::string mark = "\xEF\xBB\xBF";

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class Csv : public testing::Test {
 protected:
  result<Table> read(std::string_view text) { return read_csv(folder_.write("t.csv", text)); }

  Table table(std::string_view text) {
    auto table = read(text);
    EXPECT_TRUE(table) << table.error().text;
    return table ? *table : Table{};
  }

  /// The text of the error, with the file's path shortened to FILE.
  std::string flaw(std::string_view text) {
    const auto table = read(text);
    if (table) return "no error";
    return replace_all(table.error().text, (folder_ / "t.csv").string(), "FILE");
  }

  TempFolder folder_;
};

using Rows = std::vector<double>;
using Names = std::vector<std::string>;

TEST_F(Csv, ReadsHeaderAndRowsInRowMajorOrder) {
  const Table t = table("x,y,label\n1,2.5,0\n-3e2,.5,+1\n");
  EXPECT_EQ(t.columns, (Names{"x", "y", "label"}));
  EXPECT_EQ(t.rows, 2U);
  EXPECT_EQ(t.values, (Rows{1, 2.5, 0, -300, 0.5, 1}));
  EXPECT_TRUE(t.has_header);
}

TEST_F(Csv, FindsColumnsByName) {
  const Table t = table("x,y\n1,2\n");
  EXPECT_EQ(t.column("y"), std::optional<std::size_t>(1));
  EXPECT_EQ(t.column("z"), std::nullopt);
}

TEST_F(Csv, RefusesALineOfNothingButSeparatorsBeforeItFillsTheMemory) {
  std::string text;
  for (int i = 0; i < 1'000'002; ++i) text += "c,";
  EXPECT_EQ(flaw(text + "\n"), "[csv] FILE:1: found more than 1000000 columns, expected that many at most");
}

TEST_F(Csv, ReadsTheSameTableInEightForms) {
  const std::string bare = "x,y\n1.5,2.5\n3,-4\n";
  const std::string in_quotes = "\"x\",\"y\"\n\"1.5\",\"2.5\"\n\"3\",\"-4\"\n";
  int forms = 0;
  for (const std::string& text : {bare, in_quotes}) {
    for (const std::string& start : {std::string(), mark}) {
      for (const char* line_end : {"\n", "\r\n"}) {
        const Table t = table(start + replace_all(text, "\n", line_end));
        EXPECT_EQ(t.columns, (Names{"x", "y"}));
        EXPECT_EQ(t.rows, 2U);
        EXPECT_EQ(t.values, (Rows{1.5, 2.5, 3, -4}));
        EXPECT_EQ(t.column("x"), std::optional<std::size_t>(0));
        ++forms;
      }
    }
  }
  EXPECT_EQ(forms, 8);
}

TEST_F(Csv, ReadsFilesWithoutFinalLineEnd) {
  EXPECT_EQ(table("x,y\n1,2").values, (Rows{1, 2}));
  EXPECT_EQ(table("x,y\r\n1,2\r").values, (Rows{1, 2}));
  EXPECT_EQ(table("x,y\n1,\"2\"").values, (Rows{1, 2}));
  EXPECT_EQ(table("x,y\r\n1,\"2\"\r").values, (Rows{1, 2}));
}

TEST_F(Csv, PassesOverBlankLinesAtTheEnd) {
  EXPECT_EQ(table("x,y\n1,2\n\n\r\n  \n").values, (Rows{1, 2}));
  EXPECT_EQ(table("x\n1\n\n").values, (Rows{1}));
}

TEST_F(Csv, ReadsNamesWithCommasQuotesAndLineBreaks) {
  const Table t = table("\"a, b\",\"say \"\"c\"\"\",\"two\nlines\"\n1,2,3\n");
  EXPECT_EQ(t.columns, (Names{"a, b", "say \"c\"", "two\nlines"}));
  EXPECT_EQ(t.values, (Rows{1, 2, 3}));
}

TEST_F(Csv, IgnoresBlanksAroundBareCells) {
  const Table t = table("x , y\n 1,\t2 \n");
  EXPECT_EQ(t.columns, (Names{"x", "y"}));
  EXPECT_EQ(t.values, (Rows{1, 2}));
}

TEST_F(Csv, TakesAFirstLineOfBareNumbersForData) {
  const Table t = table("1,2\n3,4\n");
  EXPECT_EQ(t.columns, (Names{"column0", "column1"}));
  EXPECT_EQ(t.rows, 2U);
  EXPECT_EQ(t.values, (Rows{1, 2, 3, 4}));
  EXPECT_FALSE(t.has_header);
}

TEST_F(Csv, TakesNumbersInQuotesAndNumbersBesideNamesForNames) {
  EXPECT_EQ(table("\"1978\",\"1979\"\n1,2\n").columns, (Names{"1978", "1979"}));
  EXPECT_EQ(table("Month,1978\n1,2\n").columns, (Names{"Month", "1978"}));
}

TEST_F(Csv, RefusesAFirstLineThatCountsTheColumns) {
  EXPECT_EQ(flaw("0,1,2\n5,6,7\n"),
            "[csv] FILE:1: found 0, 1, 2, ..., which may be a header or data, expected names or other numbers");
  EXPECT_EQ(table("0\n5\n").values, (Rows{0, 5}));
}

TEST_F(Csv, RefusesTextCells) {
  EXPECT_EQ(flaw("x,y\n1,2\n3,abc\n"), "[csv] FILE:3: column y: found \"abc\", expected a number");
  EXPECT_EQ(flaw("x,y\n1,0x10\n"), "[csv] FILE:2: column y: found \"0x10\", expected a number");
  EXPECT_EQ(flaw("x,y\n1,2001-01\n"), "[csv] FILE:2: column y: found \"2001-01\", expected a number");
}

TEST_F(Csv, RefusesTextCellsInQuotesAtTheirOwnLine) {
  EXPECT_EQ(flaw("x,y\r\n1,2\r\n3,\"Line\r\nbreak, Dr.\"\r\n"),
            "[csv] FILE:3: column y: found \"Line\\x0d\\x0abreak, Dr.\", expected a number");
}

TEST_F(Csv, CountsLinesInsideQuotes) {
  EXPECT_EQ(flaw("\"a\nb\",c\n1,2\n1,x\n"), "[csv] FILE:4: column c: found \"x\", expected a number");
}

TEST_F(Csv, RefusesMissingValues) {
  EXPECT_EQ(flaw("x,y\n1,\n"), "[csv] FILE:2: column y: found an empty cell (missing value), expected a number");
  EXPECT_EQ(flaw("x,y\n,1\n"), "[csv] FILE:2: column x: found an empty cell (missing value), expected a number");
  EXPECT_EQ(flaw("x,y\n\"\",1\n"), "[csv] FILE:2: column x: found an empty cell (missing value), expected a number");
  EXPECT_EQ(flaw("x,y\n1,?\n"), "[csv] FILE:2: column y: found \"?\" (missing value), expected a number");
  EXPECT_EQ(flaw("x,y\n1,NA\n"), "[csv] FILE:2: column y: found \"NA\" (missing value), expected a number");
}

TEST_F(Csv, RefusesMissingValuesInAFirstLineThatWouldElseBeNames) {
  EXPECT_EQ(flaw("2,1,38.50,?,3\n1,1,39.2,20,?\n"),
            "[csv] FILE:1: column 4: found \"?\" as name (missing value), expected a name");
  EXPECT_EQ(flaw(mark + "Month,1978,\r\n1,2,\r\n"),
            "[csv] FILE:1: column 3: found a column without name, expected a name");
}

TEST_F(Csv, RefusesNumbersThatAreNotFinite) {
  EXPECT_EQ(flaw("x\n1\nnan\n"), "[csv] FILE:3: column x: found \"nan\" (not finite), expected a number");
  EXPECT_EQ(flaw("x\n-Inf\n"), "[csv] FILE:2: column x: found \"-Inf\" (not finite), expected a number");
  EXPECT_EQ(flaw("1,nan\n"), "[csv] FILE:1: column column1: found \"nan\" (not finite), expected a number");
  EXPECT_EQ(flaw("x\n1e999\n"),
            "[csv] FILE:2: column x: found \"1e999\" (beyond the range of binary64), expected a number");
}

TEST_F(Csv, RefusesCommasInsideNumbers) {
  EXPECT_EQ(flaw("x\n\"1,5\"\n"), "[csv] FILE:2: column x: found \"1,5\" (commas inside a number), expected a number");
}

TEST_F(Csv, RefusesRaggedRows) {
  EXPECT_EQ(flaw("x,y,z\n1,2,3\n4,5\n"), "[csv] FILE:3: found 2 fields, expected 3");
  EXPECT_EQ(flaw("x,y,z\n1,2,3,4,5\n"), "[csv] FILE:2: found 5 fields, expected 3");
  EXPECT_EQ(flaw("x,y,z\n1,2,3,\n"), "[csv] FILE:2: found 4 fields, expected 3");
}

TEST_F(Csv, NamesTheFieldCountWhereALongerRowPutsTextIntoANumberColumn) {
  EXPECT_EQ(flaw("x,y\nDoe,John,1,2\n"), "[csv] FILE:2: found 4 fields, expected 2");
}

TEST_F(Csv, RefusesBlankLinesBetweenRows) {
  EXPECT_EQ(flaw("x,y\n1,2\n\n3,4\n"), "[csv] FILE:3: found a blank line, expected 2 fields");
  EXPECT_EQ(flaw("x\n1\n\n3\n"), "[csv] FILE:3: found a blank line, expected 1 field");
  EXPECT_EQ(flaw("\nx,y\n1,2\n"), "[csv] FILE:1: column 1: found a column without name, expected a name");
}

TEST_F(Csv, RefusesOtherSeparatorsByName) {
  const std::string place = "[csv] FILE:1: column 1: ";
  EXPECT_EQ(flaw("a;b\n1;2\n"), place + "found a semicolon-separated table, expected commas");
  EXPECT_EQ(flaw("\"a b\";\"c\"\n7.4;9.4\n"), place + "found a semicolon-separated table, expected commas");
  EXPECT_EQ(flaw("1,5;2,5\n3,5;4,5\n"), "[csv] FILE:1: column 2: found a semicolon-separated table, expected commas");
  EXPECT_EQ(flaw("a\tb\n1\t2\n"), place + "found a tab-separated table, expected commas");
  EXPECT_EQ(flaw("\"a\"\t\"b\"\n1\t2\n"), place + "found a tab-separated table, expected commas");
  EXPECT_EQ(flaw(" 0.1  18.0   2.3\n 0.2   0.0   7.0\n"), place + "found a blank-separated table, expected commas");
  EXPECT_EQ(flaw("+1 1:0.7 2:1 \n-1 1:0.5\n"), place + "found a sparse (libsvm) table, expected commas");
  EXPECT_EQ(flaw("a b\n1 2\n"), "[csv] FILE:2: column a b: found a blank-separated table, expected commas");
  EXPECT_EQ(flaw("\"a b\"\n1;2\n"), "[csv] FILE:2: column a b: found a semicolon-separated table, expected commas");
}

TEST_F(Csv, RefusesLoneCarriageReturnsAsLineEnds) {
  EXPECT_EQ(flaw("x,y\r1,2\r3,4\r"),
            "[csv] FILE:1: column 2: found a carriage return inside a line, expected LF or CRLF line ends");
  EXPECT_EQ(flaw("x\n1\r2\n"),
            "[csv] FILE:2: column x: found a carriage return inside a line, expected LF or CRLF line ends");
}

TEST_F(Csv, RefusesBrokenQuotes) {
  EXPECT_EQ(flaw("x,y\n1,\"2\n3,4\n"),
            "[csv] FILE:2: column y: found no closing quote for the cell that begins on line 2, expected one");
  EXPECT_EQ(flaw("x,y\n1,2\"3\n"),
            "[csv] FILE:2: column y: found a quote inside a bare cell, expected the whole cell in quotes");
  EXPECT_EQ(flaw("x,y\n1,\"2\"3\n"),
            "[csv] FILE:2: column y: found \"3\" after a closing quote, expected a comma or the end of the line");
  EXPECT_EQ(flaw("\"x,y\n1,2\n"),
            "[csv] FILE:1: column 1: found no closing quote for the cell that begins on line 1, expected one");
}

TEST_F(Csv, RefusesDuplicateNames) {
  EXPECT_EQ(flaw("x,y,x\n1,2,3\n"),
            "[csv] FILE:1: columns 1 and 3: found the name \"x\" twice, expected different names");
}

TEST_F(Csv, RefusesNamesThatAreNotUtf8) {
  EXPECT_EQ(flaw("x,caf\xE9\n1,2\n"), "[csv] FILE:1: column 2: found the name \"caf\\xe9\", expected UTF-8");
  EXPECT_EQ(table("x,caf\xC3\xA9\n1,2\n").column("caf\xC3\xA9"), std::optional<std::size_t>(1));
}

TEST_F(Csv, RefusesBinaryContentAndUtf16) {
  EXPECT_EQ(flaw(std::string_view("x\n1\0", 4)), "[csv] FILE: found a NUL byte at offset 3, expected text");
  EXPECT_EQ(flaw(std::string_view("\xFF\xFEx\0\n\0", 6)), "[csv] FILE: found UTF-16 text, expected UTF-8");
}

TEST_F(Csv, RefusesFilesWithoutRows) {
  EXPECT_EQ(flaw(""), "[csv] FILE: found an empty file, expected a header line and rows");
  EXPECT_EQ(flaw("\n \r\n"), "[csv] FILE: found an empty file, expected a header line and rows");
  EXPECT_EQ(flaw(mark), "[csv] FILE: found an empty file, expected a header line and rows");
  EXPECT_EQ(flaw("x,y\n"), "[csv] FILE: found a header and no rows, expected at least one row");
}

TEST_F(Csv, CutsLongCellsInErrors) {
  EXPECT_EQ(flaw("x\n" + std::string(100, 'a') + "\n"),
            "[csv] FILE:2: column x: found \"" + std::string(40, 'a') + "...\", expected a number");
}

TEST_F(Csv, RefusesWhatIsNoFile) {
  const auto absent = read_csv(folder_ / "absent.csv");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().reason, Reason::FILE_NOT_FOUND);
  EXPECT_EQ(absent.error().text,
            "[csv] " + (folder_ / "absent.csv").string() + ": cannot be opened: No such file or directory");
  const auto a_folder = read_csv(folder_.path());
  ASSERT_FALSE(a_folder);
  EXPECT_EQ(a_folder.error().text, "[csv] " + folder_.path().string() + ": found a folder, expected a file");
  const auto device = read_csv("/dev/zero");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().text, "[csv] /dev/zero: found a device, expected a file");
}

TEST_F(Csv, EveryPrefixIsATableOrAnError) {
  const std::string text = mark + "\"x\",\"y\"\"z\"\r\n1.5,\"2\"\r\n-3e2,4\r\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto table = read(text.substr(0, length));
    if (table) {
      EXPECT_EQ(table->values.size(), table->rows * table->columns.size());
    }
  }
}

class CsvWriter : public Csv {
 protected:
  std::filesystem::path target() const { return folder_ / "out.csv"; }
};

TEST_F(CsvWriter, WritesWhatTheReaderFindsAgain) {
  const Names names = {"x", "1978", "say \"a, b\"", "two\nlines", " blank "};
  const Rows values = {0.1, -0.0, 1e300, 5e-324, 3, 1.0 / 3, 2, 3, 4, 5};
  ASSERT_TRUE(write_csv(target(), names, 2, values));
  const auto back = read_csv(target());
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->columns, names);
  EXPECT_EQ(back->values, values);
}

TEST_F(CsvWriter, WritesPlainText) {
  ASSERT_TRUE(write_csv(target(), Names{"x", "7"}, 2, Rows{1, 2.5, std::numeric_limits<double>::quiet_NaN(), 1e21}));
  EXPECT_EQ(folder_.read("out.csv"), "x,\"7\"\n1,2.5\nnan,1e+21\n");
}

TEST_F(CsvWriter, KeepsHeaderOfNumbersApartFromData) {
  ASSERT_TRUE(write_csv(target(), Names{"0", "1"}, 1, Rows{5, 6}));
  const auto back = read_csv(target());
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->columns, (Names{"0", "1"}));
  EXPECT_EQ(back->rows, 1U);
}

TEST_F(CsvWriter, WritesManyRows) {
  Rows values(30000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 1);
  ASSERT_TRUE(write_csv(target(), Names{"x", "y", "z"}, 10000, values));
  const auto back = read_csv(target());
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->values, values);
}

TEST_F(CsvWriter, RefusesValuesAndNamesThatMakeNoTable) {
  const auto flaw = [&](const Names& names, std::uint64_t rows, const Rows& values) {
    const auto written = write_csv(target(), names, rows, values);
    return written ? "no error" : replace_all(written.error().text, target().string(), "FILE");
  };
  EXPECT_EQ(flaw({"x", "y"}, 2, {1, 2, 3}), "[csv] FILE: found 3 values, expected 2 rows of 2 columns");
  EXPECT_EQ(flaw({"x", "y"}, std::uint64_t{1} << 63, {}),
            "[csv] FILE: found 0 values, expected 9223372036854775808 rows of 2 columns");
  EXPECT_EQ(flaw({}, 0, {}), "[csv] FILE: found no columns, expected at least one");
  EXPECT_EQ(flaw({"x", "x"}, 0, {}), "[csv] FILE: found two columns \"x\", expected different names");
  EXPECT_EQ(flaw({""}, 0, {}), "[csv] FILE: found a column without name, expected a name");
  EXPECT_EQ(folder_.count_files(), 0U);
}

}  // namespace
}  // namespace tenon
