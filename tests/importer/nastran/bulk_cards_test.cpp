// Tests how cards of NASTRAN bulk data are assembled from lines: free fields, continuations and
// replication. Truth: the MSC Nastran Quick Reference Guide, Format of Bulk Data Entries, and the
// NASTRAN-95 User's Manual, section 2.4.1.2.
#include "nastran/bulk_cards.h"

#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

/// The cards that lines make, each as its name and fields with commas between; blank fields at the
/// end are left out.
class Cards : public CardSink {
 public:
  explicit Cards(const std::string& lines) {
    CardAssembler assembler(*this);
    std::int64_t number = 0;
    std::size_t begin = 0;
    while (begin < lines.size()) {
      const std::size_t end = lines.find('\n', begin);
      assembler.line(std::string_view(lines).substr(begin, end - begin), ++number, file_);
      begin = end + 1;
    }
    assembler.flush();
    lost = assembler.lost_lines().count;
  }
  void card(const BulkCard& card) override {
    std::string text(card.name);
    for (const std::string_view field : card.fields) {
      text += ',';
      text += trimmed(field);
    }
    all.push_back(text.substr(0, text.find_last_not_of(',') + 1));
  }
  std::vector<std::string> all;
  std::int64_t lost = 0;

 private:
  const std::string file_ = "deck.bdf";
};

std::vector<std::string> cards(const std::string& lines) {
  return Cards(lines).all;
}

/// Code and line of the error that reading the lines gives; empty if there is none.
std::string fault(const std::string& lines) {
  try {
    Cards all(lines);
  } catch (const ParseError& error) {
    EXPECT_FALSE(error.fix().empty());
    return error.code() + ":" + std::to_string(error.where().line);
  }
  return "";
}

using List = std::vector<std::string>;

/// `SPC1,1,123` and the points 101 to 100 + count, all on one line.
std::string long_line(int count) {
  std::string out = "SPC1,1,123";
  for (int k = 1; k <= count; ++k)
    out += "," + std::to_string(100 + k);
  return out;
}

// Truth: `SPC1,100,12456,1,2,3,4,5,6,7,8,9,10` is the same as a line to field 9 and a continuation.
TEST(BulkCards, AFreeLineOfMoreThanTenFieldsContinuesItself) {
  EXPECT_EQ(cards("SPC1,100,12456,1,2,3,4,5,6,7,8,9,10\n"),
            cards("SPC1,100,12456,1,2,3,4,5,6\n,7,8,9,10\n"));
  for (const int count : {5, 6, 8, 13, 14, 15, 16, 17, 22, 23, 40}) {
    SCOPED_TRACE(count);
    const std::string line = long_line(count);
    EXPECT_EQ(cards(line + "\n"), List{line});
    // what follows begins at field 2 of a line of its own
    Cards continued(line + "\n,901,902\n");
    const std::size_t taken = static_cast<std::size_t>(count) + 2;
    EXPECT_EQ(continued.all, List{line + std::string((8 - taken % 8) % 8, ',') + ",901,902"});
    EXPECT_EQ(cards(line + "\n+,901,902\n"), continued.all);
  }
}

// A mark stands behind eight fields, whether the line continued itself before or not.
TEST(BulkCards, MarksInsideAFreeLineAreNotData) {
  EXPECT_EQ(cards(long_line(6) + ",+,107,108\n"), List{long_line(8)});
  EXPECT_EQ(cards(long_line(14) + ",+,115,116\n"), List{long_line(16)});
  EXPECT_EQ(cards(long_line(14) + ",+A\n+A,115,116\n"), List{long_line(16)});
  EXPECT_EQ(cards(long_line(14) + ",ABC\n+BC,115\n"), List{long_line(15)});
  EXPECT_EQ(cards(long_line(6) + ",ABC\n+BC,107\n"), List{long_line(7)});
  EXPECT_EQ(cards(long_line(6) + ",\n,107\n"), List{long_line(7)});
  EXPECT_EQ(cards(long_line(14) + ",,,,\n,115\n"), List{long_line(15)});
  EXPECT_EQ(cards(long_line(6) + ",,,,,,,,,,,,\n,107\n"), List{long_line(7)});
  EXPECT_EQ(cards(long_line(2) + ",,,,,,,,,,,,\n,103\n"), List{long_line(2) + ",,,,,103"});
  EXPECT_EQ(cards("GRID*,1,,0.5,1.5,*G\n*G,2.5\n"), List{"GRID,1,,0.5,1.5,2.5"});
  EXPECT_EQ(cards("GRID*,1,,0.5,1.5,*,2.5\n"), List{"GRID,1,,0.5,1.5,2.5"});
}

// A number in field 10 may be a mark or the next field of data; a blank there may be either as
// well.
TEST(BulkCards, ATenthFieldThatMayBeDataIsRefused) {
  EXPECT_EQ(fault("GRID,9\n" + long_line(7) + "\n"), "free-field:2");
  EXPECT_EQ(fault("GRID*,1,,0.5,1.5,2.5\n"), "free-field:1");
  EXPECT_EQ(fault(long_line(6) + ",,107\n"), "free-field:1");
  EXPECT_EQ(fault(long_line(14) + ",,107\n"), "free-field:1");
  EXPECT_EQ(fault(long_line(6) + ",+,107,108,109,110,111,112,113,114,115\n"), "free-field:1");
  EXPECT_EQ(fault(long_line(6) + ",thru\n,120\n"), "free-field:1");
  EXPECT_EQ(fault(long_line(6) + ",THRU,120\n"), "");
  EXPECT_EQ(fault(long_line(6) + ",,,,\n"), "");
}

// Truth: a real number has a decimal point, an integer has none.
TEST(BulkCards, ReplicatedRealsRemainReals) {
  const List all = cards("CQUAD4,1,1,1,2,3,4,0.\n=,*1,=,*1,*1,*1,*1,*15.,==\n=(2)\n");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].substr(0, 21), "CQUAD4,2,1,2,3,4,5,15");
  for (std::size_t k = 1; k < 4; ++k) {
    const std::string theta = all[k].substr(all[k].rfind(',') + 1);
    EXPECT_FALSE(parse_integer(theta)) << theta;
    EXPECT_EQ(parse_real(theta), 15.0 * static_cast<double>(k));
  }
  const List others = cards("MAT1,1,1.+20,0.,-1.\n=,*1,*1.+20,*.5,*1\n");
  const std::string numbers = others.back().substr(7);  // below `MAT1,2,`
  const std::size_t comma = numbers.find(',');
  EXPECT_EQ(parse_real(numbers.substr(0, comma)), 2e20);
  EXPECT_EQ(numbers.substr(comma), ",0.5,0.0");
}

// Truth: NASTRAN-95, rules 5 to 7: `=` keeps a field, `==` all that follow; a blank field is blank.
TEST(BulkCards, FieldsThatAReplicationDoesNotNameAreBlank) {
  const std::string grid = "GRID,1,2,0.5,1.5,2.5,3,456\n";
  EXPECT_EQ(cards(grid + "=,*1,==\n").back(), "GRID,2,2,0.5,1.5,2.5,3,456");
  EXPECT_EQ(cards(grid + "=,*1,=,=\n").back(), "GRID,2,2,0.5");
  EXPECT_EQ(cards(grid + "=       *1      =       =\n").back(), "GRID,2,2,0.5");
  EXPECT_EQ(cards(grid + "=       *(1)                    *-1.    ==\n").back(),
            "GRID,2,,,0.5,2.5,3,456");
  EXPECT_EQ(cards(grid + "=,7,,*(-.5),==\n").back(), "GRID,7,,0.0,1.5,2.5,3,456");
  EXPECT_EQ(cards(grid + "==\n").back() + "\n", grid);
}

// Truth: CQUAD4, field 8: a real number is THETA in degrees, an integer MCID.
TEST(BulkCards, AReplicatedAngleIsNotASystem) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "deck.bdf",
                      "CQUAD4,1,1,1,2,3,4,0.\n=,*1,=,*1,*1,*1,*1,*15.,==\n"
                      "CQUAD4,7,1,1,2,3,4,5\n=,*1,=,*1,*1,*1,*1,*15,==\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "deck.bdf", {}, diagnostics);
  ASSERT_EQ(contents.section_fields.size(), 4U);
  EXPECT_EQ(contents.section_fields[1].material_system, -1);
  EXPECT_NEAR(
      contents.section_fields[1].values.angle, std::numbers::pi / 12.0, testing::tolerance(1e-15));
  EXPECT_EQ(contents.section_fields[3].material_system, 20);
}

TEST(BulkCards, AnIncrementThatGivesNoNumberIsRefused) {
  for (const char* marks :
       {"=,*1e30", "=,*9223372036854775807", "=,*1,*1", "=,*1,=,*1.7e308", "=,*x", "=,*1,=,*(.5"}) {
    SCOPED_TRACE(marks);
    EXPECT_EQ(fault(std::string("GRID,1,,1.7e308,0.,0.\n") + marks + ",==\n"), "replication:2");
  }
  EXPECT_EQ(fault("GRID,9223372036854775807\n=,*1\n"), "replication:2");
}

// Truth: NASTRAN-95, examples 1 and 2: the increments are those of the card before or of the line.
TEST(BulkCards, RepeatedReplicationNeedsItsIncrements) {
  const List three{"GRID,1,,0.5", "GRID,2,,1.5", "GRID,3,,2.5"};
  EXPECT_EQ(cards("GRID,1,,.5\n=,*1,=,*1.,==\n=(1)\n").size(), 3U);
  EXPECT_EQ(cards("GRID,1,,0.5\n$ comment\n=,*1,=,*1.,==\n$ comment\n\n=1\n"), three);
  EXPECT_EQ(cards("GRID,1,,0.5\n=(2),*1,=,*1.,==\n"), three);
  EXPECT_EQ(cards("GRID,1,,0.5\n=,*1,=,*1.,==\nGRID,7,,0.5\n=(2),*1,=,*1.\n").size(), 5U);
  EXPECT_EQ(cards("GRID,1\n=,*1\n=1\n=1\n").size(), 4U);
  EXPECT_EQ(cards("GRID,1\n=       *1\n  =(0000002)\n").size(), 4U);
  EXPECT_EQ(cards("GRID,1\n=(2)    *1\n").back(), "GRID,3");
  EXPECT_EQ(fault("GRID,1\n=,*1\n=(999999999)\n"), "replication:3");
  EXPECT_EQ(fault("GRID,1,,.5\n=,*1,=,*1.,==\nCROD,1,1,1,2\n=(3)\n"), "replication:4");
  EXPECT_EQ(fault("GRID,1,,.5\n=(3)\n"), "replication:2");
  for (const char* count : {"=(0)", "=(-1)", "=(1.5)", "=x", "=*", "=()"})
    EXPECT_EQ(fault(std::string("GRID,1,,.5\n=,*1,=,*1.,==\n") + count + "\n"), "replication:3")
        << count;
}

// Truth: NASTRAN-95, example 7: the lines of a card are replicated one by one, which is not read.
TEST(BulkCards, AContinuationBelowAReplicationIsRefused) {
  const std::string first = "SPC1,1,123,1,2,3,4,5,6,+A\n+A,7\n";
  EXPECT_EQ(cards(first + "=,*1,==\n").back(), "SPC1,2,123,1,2,3,4,5,6,7");
  EXPECT_EQ(fault(first + "=,*1,==\n+A,8\n"), "replication:4");
  EXPECT_EQ(fault(first + "=,*1,==\n$ comment\n=(2)\n        8\n"), "replication:6");
  EXPECT_EQ(fault(first + "=,*1,=,=,=,=,=,=,=,*1\n"), "replication:3");
  EXPECT_EQ(fault(first + "=,*1,=,=,=,=,=,=,=,=,*1\n"), "replication:3");
  EXPECT_EQ(fault(first + "=,*1,=,=,=,=,=,=,=,==\n"), "");
  EXPECT_EQ(fault(first + "=,*1,=,=,=,=,=,=,=,+B\n"), "");
}

TEST(BulkCards, AContinuationOfNoCardIsCounted) {
  EXPECT_EQ(Cards("+,1,2\nGRID,1\n").lost, 1);
  EXPECT_EQ(Cards("$ comment\n        1       2\nGRID,1\n").lost, 1);
  EXPECT_EQ(Cards("GRID,1\n$ comment\n\n        \n+,,,,,,,\n").lost, 0);
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "rest.inc", "+,7,8\n");
  testing::write_text(folder / "deck.bdf",
                      "GRID,7\nSPC1,1,123,1,2,3,4,5,6,+\nINCLUDE 'rest.inc'\nENDDATA\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "deck.bdf", {}, diagnostics);
  std::int64_t told = 0;
  for (const Warning& warning : diagnostics.warnings())
    told += warning.code == "continuation" ? 1 : 0;
  EXPECT_EQ(told, 1);
  EXPECT_EQ(contents.fixed.size(), 18U);
}

// Truth: one card in every form; forms may change from line to line.
TEST(BulkCards, FormsMayChangeWithinACard) {
  const std::string large =
      "RBE2*   1               9               123456          1               *A\n"
      "*A      2               3               4               5               +B\n";
  for (const std::string& lines :
       List{"RBE2,1,9,123456,1,2,3,4,5\n,6,7\n",
            "RBE2    1       9       123456  1       2       3       4       5\n,6,7\n",
            "RBE2,1,9,123456,1,2,3,4,5\n        6       7\n",
            large + "+B,6,7\n",
            large + "$ comment\n+B      6       7\n",
            large + "*B      6               7\n",
            "RBE2*,1,9,123456,1\n$ comment\n*,2,3,4,5\n\n+       6       7\n",
            "RBE2\t1\t9\t123456\t1\t2\t3\t4\t5\n\t6\t7\n",
            "RBE2,\t1 ,\t9,123456, 1,2,3,4,5 $ comment\n\t,6,7\n",
            "RBE2 1 9 123456 1 2 3 4 5\n        6       7\n",
            "RBE2,1,9,123456,1,2,3,4,5,6,7\n",
            "rbe2*,1,9,123456,1,*\n*,2,3,4,5,+\n+,6,7\n"})
    EXPECT_EQ(cards(lines), List{"RBE2,1,9,123456,1,2,3,4,5,6,7"}) << lines;
}

}  // namespace
}  // namespace femflex::importer
