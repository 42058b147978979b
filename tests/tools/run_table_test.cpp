// Tests that tables of runs and their journals are checked when they are read: counts, indices of
// rows, samples of choices, unknown members. Truth: the tables that were written.
#include "runs/run_table.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "runs/run_journal.h"
#include "support/support.h"

namespace femflex::tools {
namespace {

using testing::TemporaryFolder;
using testing::write_text;

/// A whole study of two runs: one of three choices, and a number.
RunTable two_runs() {
  RunTable out;
  out.name = "two";
  out.model = "0123";
  RunParameter kind, length;
  kind.name = "kind";
  kind.kind = RunParameter::Kind::choices;
  kind.choices = {Json("a"), Json("b"), Json("c")};
  length.name = "length";
  length.low = 1.0;
  length.high = 3.0;
  out.parameters = {kind, length};
  out.sample.counts = {2};
  out.sample.seed = 18446744073709551615U;
  out.measures = {parse_measure("max:energy/kinetic")};
  out.units = {"J"};
  out.total = 2;
  out.rows = {{0, "k0", {2.0, 1.5}, {4.0}, ""}, {1, "k1", {0.0, 2.5}, {}, "diverged"}};
  return out;
}

/// The error of reading the table after `change`; empty if it is read.
std::string fault_of(const std::function<void(RunTable&)>& change) {
  const TemporaryFolder folder;
  RunTable table = two_runs();
  change(table);
  write_run_table(table, folder / "t.h5");
  try {
    read_run_table(folder / "t.h5");
  } catch (const ParseError& error) {
    return error.what();
  }
  return {};
}

TEST(RunTable, ComesBackAsItWas) {
  EXPECT_EQ(fault_of([](RunTable&) {}), "");
  const TemporaryFolder folder;
  const RunTable table = two_runs();
  write_run_table(table, folder / "t.h5");
  const RunTable back = read_run_table(folder / "t.h5");
  EXPECT_EQ(head_json(back).dump_line(), head_json(table).dump_line());
  ASSERT_EQ(back.rows.size(), 2U);
  for (std::size_t r = 0; r < 2; ++r)
    EXPECT_EQ(row_json(back.rows[r]).dump_line(), row_json(table.rows[r]).dump_line());
  EXPECT_TRUE(back.is_whole());
}

// A sample of choices is the place of one of them.
TEST(RunTable, RefusesSamplesThatAreNoChoice) {
  for (const double sample : {-1.0, 3.0, 7.0, 0.5, std::nan(""), 1e300})
    EXPECT_NE(fault_of([&](RunTable& t) { t.rows[1].samples[0] = sample; }).find("kind"),
              std::string::npos)
        << sample;
}

// Rows ascend from 0, and there are no more than the study has.
TEST(RunTable, RefusesRowsThatAreNotOfTheStudy) {
  for (const std::int64_t index : {-1, 0, 2, 9})
    EXPECT_NE(fault_of([&](RunTable& t) { t.rows[1].index = index; }).find("row"),
              std::string::npos)
        << index;
}

/// The error of reading a journal in which `old` is `by`; empty if it is read.
std::string fault_of_journal(const std::string& old, const std::string& by) {
  const TemporaryFolder folder;
  const RunTable table = two_runs();
  std::string text = head_json(table).dump_line() + "\n";
  for (const RunRow& row : table.rows)
    text += row_json(row).dump_line() + "\n";
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  write_text(folder / "t.rows", text.replace(at, old.size(), by));
  try {
    read_run_journal(folder / "t.rows");
  } catch (const ParseError& error) {
    return error.what();
  }
  return {};
}

TEST(RunJournal, RefusesDamagedNumbersWithOneMessage) {
  const std::string dump = head_json(two_runs()).dump_line();
  ASSERT_NE(dump.find("\"seed\""), std::string::npos);
  EXPECT_EQ(fault_of_journal("k0", "k0"), "");
  const std::string seed = "18446744073709551615";
  for (const std::string wrong : {"", "abc", "12abc", "-1", "99999999999999999999"})
    EXPECT_NE(fault_of_journal(seed, wrong).find("seed"), std::string::npos) << wrong;
  const std::size_t counts = dump.find("\"counts\"");
  const std::string list = dump.substr(counts, dump.find(']', counts) + 1 - counts);
  for (const std::string wrong : {"1e300", "2.7", "-1"})
    EXPECT_NE(fault_of_journal(list, "\"counts\":[" + wrong + "]"), "") << wrong;
  const std::size_t runs = dump.rfind("\"runs\"");
  const std::string total = dump.substr(runs, dump.rfind('}') - runs);
  for (const std::string wrong : {"1e300", "2.7", "-1", "1"})
    EXPECT_NE(fault_of_journal(total, "\"runs\":" + wrong), "") << wrong;
  EXPECT_NE(fault_of_journal(total, total + ",\"colour\":1").find("colour"), std::string::npos);
  const std::string row = row_json(two_runs().rows[0]).dump_line();
  const std::size_t samples = row.find("\"samples\"");
  const std::string values = row.substr(samples, row.find(']', samples) + 1 - samples);
  EXPECT_NE(fault_of_journal(values, "\"samples\":[7,1.5]").find("kind"), std::string::npos);
  EXPECT_NE(fault_of_journal(values, values + ",\"colour\":1").find("colour"), std::string::npos);
}

}  // namespace
}  // namespace femflex::tools
