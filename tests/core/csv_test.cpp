// Tests rows, cells and numbers of CSV tables. Truth: the texts, and RFC 4180 for quotes.
#include "femflex/csv.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace femflex::testing {
namespace {

std::vector<std::string> cells_of(const std::string& row) {
  const CsvCells cells(row);
  return {cells.begin(), cells.end()};
}
using Texts = std::vector<std::string>;

TEST(Csv, CellsComeBackAsTheyWere) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  const Texts names = {"plain",
                       "with, comma",
                       "12\" wheel",
                       "\"quoted\"",
                       "a;b\tc",
                       " blank ",
                       "#1",
                       "größe/力",
                       "\""};
  std::string row;
  for (const std::string& name : names)
    row += (row.empty() ? "" : ",") + csv_cell(name);
  EXPECT_EQ(cells_of(row), names);
  EXPECT_EQ(cells_of("1 ; \"a;b\" ;5\" pipe;\"open"), (Texts{"1", "a;b", "5\" pipe", "\"open"}));
}

TEST(Csv, EachRowHasOneSeparator) {
  EXPECT_EQ(csv_separator("\"a;b\",c"), ',');
  EXPECT_EQ(csv_separator("\"a,b\";c"), ';');
  EXPECT_EQ(csv_separator("F 12\" [N];t"), ';');
  EXPECT_EQ(cells_of("0;1,5"), (Texts{"0", "1,5"}));
  EXPECT_EQ(cells_of("0\t1,5"), (Texts{"0", "1,5"}));
  EXPECT_EQ(cells_of("0\t,5"), (Texts{"0", ",5"}));
  EXPECT_EQ(cells_of("t\tforce, front"), (Texts{"t", "force, front"}));
  EXPECT_EQ(cells_of("\t0\t1"), (Texts{"", "0", "1"}));
  EXPECT_EQ(cells_of("\t0,\t\"a,b\"\t, 1"), (Texts{"0", "a,b", "1"}));
}

TEST(Csv, RowsAreFoundPastRemarksAndBlankLines) {
  CsvRows rows("\xEF\xBB\xBF# a\r\n\r\n  # b\r\nx,y\r\n \t\r\n1,2 \r\n3,4", "t.csv");
  std::vector<std::int64_t> lines;
  for (; rows.next(); rows.require_size(2))
    lines.push_back(rows.where().line);
  EXPECT_EQ(lines, (std::vector<std::int64_t>{4, 6, 7}));
  EXPECT_EQ(rows.where().file, "t.csv");
}

TEST(Csv, NumbersAreFiniteUnlessATableMayHoldOthers) {
  constexpr auto kAny = CsvNumbers::with_nan_and_infinity;
  EXPECT_EQ(csv_value("+1.5"), 1.5);
  EXPECT_EQ(csv_value("1.5D+02"), 150.0);
  for (const char* text : {"nan", "inf", "", "x", "1,5", "1e400", "+-1"})
    EXPECT_FALSE(csv_value(text)) << text;
  EXPECT_EQ(csv_value("-inf", kAny), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(csv_value("+inf", kAny), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(csv_value("nan", kAny).value_or(0.0)));
  for (const char* text : {"", "x", "infant", "+-inf", "1e400"})
    EXPECT_FALSE(csv_value(text, kAny)) << text;
}

TEST(Csv, RefusalsNameTheColumnAndTheFault) {
  const auto said = [](const std::string& cell, const std::string& head) {
    try {
      static_cast<void>(csv_number(cell, head, 1, {.file = "t.csv", .line = 3}));
      return std::string();
    } catch (const ParseError& error) {
      EXPECT_EQ(error.where().line, 3);
      return error.message();
    }
  };
  EXPECT_EQ(said("x", "F"), "column 'F': 'x' is not a number");
  EXPECT_EQ(said("x", ""), "column 2: 'x' is not a number");
  EXPECT_EQ(said("nan", "F"), "column 'F': 'nan' is not a finite number");
  EXPECT_EQ(said("1e400", "F"), "column 'F': 1e400 is beyond the range of numbers");
  EXPECT_EQ(said("", "F"), "column 'F' is blank in this row");
}

}  // namespace
}  // namespace femflex::testing
