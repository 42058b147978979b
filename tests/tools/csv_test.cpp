// Tests that every name comes back from the tables that are written: names with separators, quotes,
// blanks and letters outside ASCII. Truth: the names themselves, and RFC 4180.
#include "document/csv.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/roads/tables.h"

#include "document/base_unit.h"
#include "document/json.h"
#include "lattice/lattice_matrix.h"
#include "results/results_file.h"
#include "results/signal_heads.h"
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

/// What the three readers of numbers in CSV say about the same text: the message of the first fault
/// each, or the number in the last row and column.
std::vector<std::string> readings(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "r.csv", text);
  const auto said = [](auto read) -> std::string {
    try {
      return shortest(read());
    } catch (const ParseError& error) {
      return error.message();
    }
  };
  return {said([&] { return read_csv(text, "r.csv").columns.back().back(); }),
          said([&] {
            const ResultSeries series = read_csv(folder / "r.csv");
            return series.values(series.values.rows() - 1, series.values.cols() - 1);
          }),
          said([&] { return roads::read_tracks(text, "r.csv", 1.0).at(1e9, 0.0).height; })};
}

void expect_all(const std::string& text, const std::string& expected) {
  for (const std::string& each : readings(text))
    EXPECT_EQ(each, expected) << text;
}

// Truth: the numbers, by the rules of core/number.h.
TEST(Csv, AllReadersOfTablesReadTheSameNumbers) {
  expect_all("t,F\n0,0\n1,+1.5\n", "1.5");
  expect_all("t,F\n0,0\n1,1.5D+02\n", "150");
  expect_all("t;F\n0;0\n1,5\n", "the row has 1 number, the table 2 columns");
  expect_all("# logger\n\nt,F\n0,0\n# a remark\n1,2\n", "2");
  expect_all("t\tF\n0\t0\n1\t2\n", "2");
  expect_all("t;F\r\n0;0\r\n1;2\r\n", "2");
  expect_all("t,\tF\n0,\t0\n1,\t2\t\n", "2");
}

// Truth: the tables. A decimal comma is not a number, however many cells the row has.
TEST(Csv, AllReadersOfTablesRefuseInTheSameWords) {
  expect_all("t;f\n0;0\n1;1,5\n1;2\n", "column 'f': '1,5' is not a number");
  expect_all("t,f\n0,0\n1\n", "the row has 1 number, the table 2 columns");
}

// Truth: the numbers of the matrix by hand: two nodes, one spring.
TEST(Csv, MatricesOfLatticesReadNumbersAsTablesDo) {
  for (const char* text : {"1,+1.5,0\n1.5D+02,1,1\n", "1\t1.5\t0\n150\t1\t1\n"}) {
    Diagnostics diagnostics;
    const auto lattice = parse_lattice_matrix(text, "m.csv", false, diagnostics);
    ASSERT_EQ(lattice.springs.size(), 1U);
    EXPECT_EQ(lattice.springs[0].stiffness, 150.0);
    EXPECT_EQ(lattice.springs[0].rest_length, 1.5);
    const TemporaryFolder folder;
    write_text(folder / "m.csv", text);
    EXPECT_TRUE(is_lattice_matrix(folder / "m.csv"));
  }
}

// Truth: the first row behind the remarks.
TEST(Csv, RemarksInFrontOfATableDoNotHideIt) {
  const TemporaryFolder folder;
  write_text(folder / "r.csv", "# logger, 2007\n\nt,F\n0,1\n");
  EXPECT_TRUE(is_csv_table(folder / "r.csv"));
  write_text(folder / "r.csv", "# logger, 2007\nwords alone\n");
  EXPECT_FALSE(is_csv_table(folder / "r.csv"));
}

// Truth: the column whose head is written like the name; without one, the only head that differs in
// capitals alone.
TEST(Csv, AColumnIsFoundByItsExactNameFirst) {
  const CsvTable table = read_csv("t,Ax,ax,Force\n0,1,2,3\n", "t.csv");
  ASSERT_NE(table.find("ax"), nullptr);
  EXPECT_EQ(table.find("ax")->front(), 2.0);
  EXPECT_EQ(table.find("Ax")->front(), 1.0);
  EXPECT_EQ(table.find("AX"), nullptr);  // either could be meant
  ASSERT_NE(table.find("force"), nullptr);
  EXPECT_EQ(table.find("force")->front(), 3.0);
  EXPECT_EQ(table.find("T")->front(), 0.0);
  EXPECT_EQ(read_csv("t,a,a\n0,1,2\n", "t.csv").find("a"), nullptr);
}

// Truth: the factor of each symbol to its power, and of a group to its power.
TEST(Units, GroupsHavePowers) {
  const auto factor = [](const std::string& unit) {
    const std::optional<BaseUnit> base = base_unit(unit);
    return base ? base->factor : std::nan("");
  };
  EXPECT_DOUBLE_EQ(factor("(MPa)^2/Hz"), 1e12);
  EXPECT_DOUBLE_EQ(factor("(mm/s^2)^2/Hz"), 1e-6);
  EXPECT_DOUBLE_EQ(factor("((kN mm)^2)^2/Hz"), 1.0);
  EXPECT_DOUBLE_EQ(factor("kN/(mm ms)"), 1e9);
  EXPECT_DOUBLE_EQ(factor("MPa^2/Hz"), factor("(MPa)^2/Hz"));
  const BaseUnit square = *base_unit("(m/s^2)^2/Hz");
  EXPECT_EQ(square.exponents[1], 2);
  EXPECT_EQ(square.exponents[2], -3);
  for (const char* wrong : {"(MPa", "MPa)", "(MPa]^2", "()furlong"})
    EXPECT_FALSE(base_unit(wrong).has_value()) << wrong;
}

// Truth: the unit in brackets of either kind; brackets with another text belong to the name.
TEST(Units, OfHeadsStandInBracketsOfEitherKind) {
  struct Head {
    const char* text;
    const char* name;
    const char* unit;
  };
  for (const Head& head : {Head{"a [MPa]", "a", "MPa"},
                           Head{"a (MPa)", "a", "MPa"},
                           Head{"a(ksi)", "a", "ksi"},
                           Head{"a ((m/s^2)^2/Hz)", "a", "(m/s^2)^2/Hz"},
                           Head{"a [(m/s^2)^2/Hz]", "a", "(m/s^2)^2/Hz"},
                           Head{"x (g^2/Hz)", "x", "g^2/Hz"},
                           Head{"x(t)", "x(t)", ""},
                           Head{"x (1)", "x (1)", ""},
                           Head{"strut (left)", "strut (left)", ""},
                           Head{"(MPa)", "(MPa)", ""},
                           Head{"a)", "a)", ""}}) {
    ResultSeries table;
    table.channels.push_back({head.text, ""});
    split_heads(table);
    EXPECT_EQ(table.channels.front().name, head.name) << head.text;
    EXPECT_EQ(table.channels.front().unit, head.unit) << head.text;
  }
  // the unit that the message about a density recommends
  for (const char* unit : {"MPa", "m/s^2", "kN mm", "N/mm^2"}) {
    const std::string density = "(" + std::string(unit) + ")^2/Hz";
    EXPECT_DOUBLE_EQ(density_factor({"a", density}, unit, "a.csv"), 1.0) << unit;
  }
  EXPECT_DOUBLE_EQ(density_factor({"a", "(g)^2/Hz"}, "m/s^2", "a.csv"), 9.80665 * 9.80665);
}

// Truth: the frequencies are over Hz whatever separates the cells, is quoted or stands above.
TEST(Units, OfFrequenciesAreHz) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    write_text(folder / "f.csv", text);
    try {
      check_frequency_head(folder / "f.csv");
      return false;
    } catch (const UsageError&) {
      return true;
    }
  };
  for (const char* head : {"# rig 4\nw [rad/s],a\n",
                           "w [rad/s];a\n",
                           "\"w, left [rad/s]\",a\n",
                           "w [rad/s]\ta\n",
                           "\xEF\xBB\xBFw (rad/s),a\n"})
    EXPECT_TRUE(refused(std::string(head) + "1,2\n")) << head;
  for (const char* head :
       {"f [Hz];a [MPa^2/Hz]\n", "# rig 4\n\nf (Hz),a\n", "\"f [Hz]\",a\n", "f,a\n"})
    EXPECT_FALSE(refused(std::string(head) + "1,2\n")) << head;
}

}  // namespace
}  // namespace femflex::tools
