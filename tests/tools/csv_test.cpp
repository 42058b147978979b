// Tests that every name comes back from the tables that are written: names with separators, quotes,
// blanks and letters outside ASCII. Truth: the names themselves, and RFC 4180.
#include "document/csv.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "results/results_file.h"
#include "results/stress_tables.h"
#include "runs/run_table.h"
#include "runs/samples.h"
#include "support/support.h"
#include "system/linear_system_file.h"

namespace femflex::tools {
namespace {

using testing::read_text;
using testing::TemporaryFolder;
using testing::write_text;

const std::vector<std::string> kNames = {"plain",
                                         "with, comma",
                                         "12\" wheel",
                                         "\"quoted\"",
                                         "a;b\tc",
                                         " blank ",
                                         "#1",
                                         "größe/力",
                                         "\""};

TEST(Csv, CellsComeBackAsTheyWere) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  std::string line;
  for (const std::string& name : kNames)
    line += (line.empty() ? "" : ",") + csv_cell(name);
  const CsvCells cells(line);
  ASSERT_EQ(cells.size(), kNames.size());
  for (std::size_t k = 0; k < kNames.size(); ++k)
    EXPECT_EQ(cells[k], kNames[k]);
  const CsvCells loose("1 ; \"a;b\" ;5\" pipe;\"open", ";");
  ASSERT_EQ(loose.size(), 4U);
  EXPECT_EQ(loose[0], "1");
  EXPECT_EQ(loose[1], "a;b");
  EXPECT_EQ(loose[2], "5\" pipe");
  EXPECT_EQ(loose[3], "\"open");
  EXPECT_EQ(csv_separator("\"a;b\",c"), ',');
  EXPECT_EQ(csv_separator("\"a,b\";c"), ';');
}

TEST(Csv, TablesOfNumbersKeepTheirNames) {
  std::vector<double> row(kNames.size());
  for (std::size_t k = 0; k < row.size(); ++k)
    row[k] = 0.1 * static_cast<double>(k);
  const CsvTable table = read_csv(csv_text(kNames, {row, row}), "t.csv");
  EXPECT_EQ(table.heads, kNames);
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.columns[3][1], row[3]);
  const std::vector<std::string> unnamed = {"", "", "b"};
  EXPECT_EQ(read_csv(csv_text(unnamed, {{1.0, 2.0, 3.0}}), "t.csv").heads, unnamed);
}

TEST(Csv, ResultsKeepTheirNames) {
  const TemporaryFolder folder;
  ResultSeries series;
  const auto columns = static_cast<Eigen::Index>(kNames.size());
  for (const std::string& name : kNames)
    series.channels.push_back({name, "m"});
  series.time = Eigen::Vector2d(0.0, 0.5);
  series.values = Eigen::MatrixXd::Random(2, columns);
  write_csv(series, folder / "r.csv");
  EXPECT_TRUE(is_csv_table(folder / "r.csv"));
  const ResultSeries back = read_csv(folder / "r.csv");
  ASSERT_EQ(back.channels.size(), kNames.size());
  for (std::size_t k = 0; k < kNames.size(); ++k)
    EXPECT_EQ(back.channels[k].name, kNames[k]);
  EXPECT_EQ(back.values, series.values);
}

TEST(Csv, MatricesKeepTheirColumns) {
  const TemporaryFolder folder;
  mbd_solver::LinearSystem system;
  system.A = system.B = system.C = system.D = Eigen::MatrixXd::Constant(1, 1, 2.0);
  system.states = {"valve, rear/state/1"};
  system.inputs = {"push \"left\""};
  system.outputs = {{"a,b/position/x", "m"}};
  write_linear_system(system, folder / "s.csv");
  EXPECT_EQ(read_text(folder / "s.csv"),
            "rates,\"valve, rear/state/1\",\"push \"\"left\"\"\"\n"
            "\"valve, rear/state/1\",2,2\n"
            "\"a,b/position/x\",2,2\n");
}

TEST(Csv, SamplesOfRunsKeepTheirNames) {
  const TemporaryFolder folder;
  write_text(folder / "s.csv", "row,\"a, left\",\"say \"\"b\"\"\"\n1,2,\"x;y\"\n2,3,z\n");
  const SampleTable table = read_sample_table(folder / "s.csv");
  ASSERT_EQ(table.parameters.size(), 2U);
  EXPECT_EQ(table.parameters[0].name, "a, left");
  EXPECT_EQ(table.parameters[1].name, "say \"b\"");
  EXPECT_EQ(table.parameters[1].choices.at(0).text(), "x;y");
}

TEST(Csv, CyclesNameTheirSignal) {
  const std::string row = cycles_csv_rows("a, left", "m", {{2.0, 0.5, 1.0}});
  const CsvCells cells(row.substr(0, row.size() - 1));
  ASSERT_EQ(cells.size(), 5U);
  EXPECT_EQ(cells[0], "a, left");
}

}  // namespace
}  // namespace femflex::tools
