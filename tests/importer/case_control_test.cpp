// Tests what the case control of a NASTRAN deck chooses: loads, supports and equations of its
// subcases, and displacements that supports prescribe.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::TemporaryFolder;
using testing::write_text;

FileContents deck(const std::string& control, const std::string& bulk, Diagnostics& diagnostics) {
  const TemporaryFolder folder;
  write_text(folder / "run.bdf", "SOL 101\nCEND\n" + control + "BEGIN BULK\n" + bulk + "ENDDATA\n");
  return read_contents(folder / "run.bdf", {}, diagnostics);
}

/// Subcase and set of each load case.
std::vector<std::pair<std::int64_t, std::int64_t>> chosen(const std::string& control) {
  Diagnostics diagnostics;
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (const RawLoadChoice& each : deck(control, "GRID,1,,0.,0.,0.\n", diagnostics).loads.chosen)
    out.emplace_back(each.subcase, each.set);
  return out;
}

// Truth: the Quick Reference Guide: what stands above the subcases holds for those that do not say
// otherwise; a combination of subcases has no load of its own.
TEST(CaseControl, ALoadAboveTheSubcasesIsTheirDefault) {
  using Chosen = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(chosen("LOAD = 5\nSUBCASE 1\n LOAD = 6\nSUBCASE 5\n SPC = 1\n"),
            (Chosen{{1, 6}, {5, 5}}));
  EXPECT_EQ(chosen("SUBCASE 1\n LOAD = 6\nSUBCASE 5\n SPC = 1\n"), (Chosen{{1, 6}}));
  EXPECT_EQ(chosen("LOAD = 5\n"), (Chosen{{0, 5}}));
  EXPECT_EQ(chosen("SUBCASE 1\n LOAD = 6\n LOAD = 7\n"), (Chosen{{1, 7}}));
  EXPECT_EQ(chosen("LOAD = 5\nSUBCASE 1\nSUBCASE 2\nSUBCOM 3\n SUBSEQ = 1.,1.\n LABEL = both\n"),
            (Chosen{{1, 5}, {2, 5}}));
  EXPECT_EQ(chosen("SYM 1\n LOAD = 5\nSYM 2\n LOAD = 6\nSYMCOM 3\n SYMSEQ = 1.,1.\n"),
            (Chosen{{1, 5}, {2, 6}}));
}

// Truth: the same. The equations of the first subcase are used, with a warning only if another one
// chooses others.
TEST(CaseControl, TheSetOfASubcaseWinsOverThatAboveTheSubcases) {
  const auto equations = [](const std::string& control) {
    Diagnostics diagnostics;
    return deck(control, "GRID,1,,0.,0.,0.\n", diagnostics).constraint_sets.chosen;
  };
  using Sets = std::vector<std::int64_t>;
  EXPECT_EQ(equations("MPC = 1\nSUBCASE 1\n MPC = 2\n"), Sets{2});
  EXPECT_EQ(equations("MPC = 1\nSUBCASE 1\nSUBCASE 2\n MPC = 2\n"), (Sets{1, 2}));
  EXPECT_EQ(equations("MPC = 1\n"), Sets{1});
  EXPECT_EQ(equations("SUBCASE 1\nSUBCASE 2\n MPC = 2\n"), Sets{2});
  Diagnostics diagnostics;
  const FileContents supports = deck("SPC = 1\nSUBCASE 1\n SPC = 2\n",
                                     "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nSPC1,1,1,1\nSPC1,2,2,2\n",
                                     diagnostics);
  EXPECT_EQ(supports.fixed, (std::vector<Dof>{{2, 2}}));
}

// A table of a material is not read: its card holds where no temperature is chosen, else nothing.
TEST(CaseControl, TemperaturesDecideWhetherAMaterialIsKnown) {
  const std::string bulk = "GRID,1,,0.,0.,0.\nMAT1,1,2.1+11,,.3\nMATT1,1,7\nMAT1,2,7.+10,,.33\n";
  for (const char* control : {"", "TEMP(LOAD) = 3\n", "TEMP(MATERIAL) = 3\n", "TEMP(INIT) = 3\n"}) {
    SCOPED_TRACE(control);
    Diagnostics diagnostics;
    const FileContents contents = deck(control, bulk, diagnostics);
    ASSERT_EQ(contents.materials.size(), 2U);
    const bool is_known = std::string(control).find("(MAT") == std::string::npos &&
                          std::string(control).find("(INIT") == std::string::npos;
    EXPECT_EQ(contents.materials[0].refusal.empty(), is_known);
    EXPECT_TRUE(contents.materials[1].refusal.empty());
    EXPECT_EQ(diagnostics.warnings().size(), is_known ? 1U : 0U);
  }
}

/// Held points of a deck with grids 1 to 9, and its warnings, one a line.
struct Held {
  std::vector<std::int64_t> points;
  std::string warnings;
};
Held held(const std::string& control, const std::string& supports) {
  std::string bulk;
  for (int id = 1; id <= 9; ++id)
    bulk += "GRID," + std::to_string(id) + ",,0.,0.,0.\n";
  Diagnostics diagnostics;
  const FileContents contents = deck(control, bulk + supports, diagnostics);
  Held out;
  for (const Dof& dof : contents.fixed)
    if (out.points.empty() || out.points.back() != dof.node) out.points.push_back(dof.node);
  for (const Warning& warning : diagnostics.warnings())
    out.warnings += warning.message + "\n";
  return out;
}
using Points = std::vector<std::int64_t>;

// Truth: OptiStruct, SPCADD, comment 2: an SPCADD takes precedence over SPC and SPC1 of the same
// set.
TEST(CaseControl, AnSpcaddActsInsteadOfTheCardsOfItsOwnSet) {
  const Held both = held("SPC = 2\n", "SPCADD,2,3\nSPC1,3,123,1\nSPC1,2,123456,9\n");
  EXPECT_EQ(both.points, Points{1});
  EXPECT_EQ(both.warnings, "SPCADD 2 is used instead of the SPC and SPC1 of set 2\n");
  const Held order = held("SPC = 2\n", "SPC,2,9,123456\nSPC1,3,123,1\nSPCADD,2,3\n");
  EXPECT_EQ(order.points, Points{1});
  // a card without a set belongs to none
  EXPECT_EQ(held("SPC = 2\n", "SPCADD,2,3\nSPC1,3,123,1\nSPC,,9,1\n").points, (Points{1, 9}));
  EXPECT_EQ(held("SPC = 3\n", "SPCADD,2,3\nSPC1,3,123,1\nSPC1,2,1,9\n").warnings, "");
}

// The same card twice, sets that do not exist, and sums of sums, which the manuals do not allow.
TEST(CaseControl, AnSpcaddNamesSetsThatExist) {
  EXPECT_EQ(held("SPC = 2\n", "SPCADD,2,3,4,5\nSPCADD,2,6\nSPC1,3,123,1\nSPC1,6,1,2\n").warnings,
            "SPCADD 2 names SPC set 4, which this file does not define\n"
            "SPCADD 2 names SPC set 5, which this file does not define\n");
  EXPECT_EQ(held("SPC = 3\n", "SPCADD,2,3,4\nSPC1,3,123,1\n").warnings, "");
  for (const char* sum : {"SPCADD,2,3\nSPCADD,3,4\n", "SPCADD,2,2,4\n"})
    EXPECT_THROW(held("SPC = 2\n", std::string(sum) + "SPC1,4,1,1\nSPC1,2,1,2\n"), ModelError);
}

// Truth: the same manual, SPC, comments 3 and 4: above the subcases stands the default, 0 is none.
TEST(CaseControl, OnlySetsThatSubcasesUseAreTold) {
  const std::string cards = "SPC1,1,1,1\nSPC1,2,1,2\nSPC1,3,1,3\n";
  const Held own = held("SPC = 1\nSUBCASE 1\n SPC = 2\n", cards);
  EXPECT_EQ(own.points, Points{2});
  EXPECT_EQ(own.warnings, "");
  const Held three = held("SPC = 3\nSUBCASE 1\n SPC = 1\nSUBCASE 2\n SPC = 2\nSUBCASE 3\n", cards);
  EXPECT_EQ(three.points, Points{1});
  EXPECT_EQ(
      three.warnings,
      "the subcases choose SPC sets 1, 2, 3: 1 is used; for another, import a deck whose first "
      "subcase chooses it\n");
  EXPECT_EQ(held("SPC = 1\nSUBCASE 1\nSUBCASE 2\n SPC = 1\n", cards).warnings, "");
  EXPECT_EQ(held("SPC = 0\n", cards).warnings, "");
  EXPECT_EQ(held("SPC = 0\n", cards).points, Points{});
  EXPECT_EQ(held("SPC = 1\nSUBCASE 1\n SPC = 0\n", cards).points, Points{});
  const Held none = held("SPC = 1\nSUBCASE 1\n SPC = 0\nSUBCASE 2\n", cards);
  EXPECT_EQ(none.points, Points{});
  EXPECT_EQ(
      none.warnings,
      "the subcases choose SPC sets 0, 1: none is used; for another, import a deck whose first "
      "subcase chooses it\n");
  EXPECT_EQ(held("SUBCASE 1\nSUBCASE 2\n SPC = 2\n", cards).points, Points{2});
}

// Supports of GRID and of cards without a set act with any set.
TEST(CaseControl, AnUndefinedSetAddsNoSupport) {
  const Held unknown = held("SPC = 7\n", "SPC,,3,1\nSPC1,1,1,1\n");
  EXPECT_EQ(unknown.points, Points{3});
  EXPECT_EQ(unknown.warnings,
            "the case control chooses SPC set 7, which this file does not define: it adds no "
            "support\n");
}

TEST(CaseControl, SupportsOfUnknownPointsAreCounted) {
  EXPECT_EQ(
      held("SPC = 1\n", "SPC1,1,123,77\n").warnings,
      "SPC or SPC1 hold point 77, which this file does not define: unless another file defines "
      "it, this support has no effect\n");
  EXPECT_EQ(held("SPC = 1\n", "SPC1,1,123,78,77\n").warnings,
            "SPC or SPC1 hold 2 points that this file does not define, the first is 77: unless "
            "another file defines them, these supports have no effect\n");
}

// Truth: no case control, so all sets are used, each of them as if it were chosen.
TEST(CaseControl, WithoutItEverySetActsAsItWouldAlone) {
  const TemporaryFolder folder;
  write_text(folder / "part.bdf",
             "GRID,1\nGRID,2\nGRID,3\nSPCADD,2,3\nSPC1,3,1,1\nSPC1,2,1,2\nSPC1,4,1,3\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "part.bdf", {}, diagnostics);
  EXPECT_EQ(contents.fixed, (std::vector<Dof>{{1, 1}, {3, 1}}));
  std::string all;
  for (const Warning& warning : diagnostics.warnings())
    all += warning.message + "\n";
  EXPECT_EQ(all,
            "there is no case control: the supports of all SPC sets, 2, 4, are used; give the deck "
            "with its case control to use one\n"
            "SPCADD 2 is used instead of the SPC and SPC1 of set 2\n");
}

struct MovingCase {
  std::string control, supports;
  std::vector<bool> is_unread;  ///< of each load choice
};

// Truth: a static solution holds the displacements that its SPC set prescribes; without them a load
// case is not that of the deck.
TEST(CaseControl, DisplacementsThatSupportsPrescribeMakeALoadCaseIncomplete) {
  const std::string two = "SUBCASE 1\n LOAD = 21\n SPC = 1\nSUBCASE 2\n LOAD = 21\n SPC = 2\n";
  for (const MovingCase& each :
       std::vector<MovingCase>{{two, "SPC,1,1,3,0.\nSPC,2,1,3,0.,2,3,1e-3\n", {false, true}},
                               {two, "SPC,1,1,3,1e-3\nSPC,2,1,3,0.\n", {true, false}},
                               {two, "SPCADD,2,3,4\nSPC,4,2,3,1e-3\nSPC1,1,3,1\n", {false, true}},
                               {"SPC = 2\nSUBCASE 1\n LOAD = 21\n SPC = 1\nSUBCASE 2\n LOAD = 21\n",
                                "SPC,1,1,3,0.\nSPC,2,1,3,1e-3\n",
                                {false, true}},
                               {two, "SPCADD,2,3\nSPC1,3,3,1\nSPC,2,1,3,1e-3\n", {false, false}},
                               {"LOAD = 21\nSPC = 1\n", "SPC,1,1,3\nSPC,9,1,3,1e-3\n", {false}}}) {
    SCOPED_TRACE(each.control + each.supports);
    Diagnostics diagnostics;
    const FileContents contents =
        deck(each.control,
             "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nFORCE,21,2,0,1.,0.,0.,1.\n" + each.supports,
             diagnostics);
    std::vector<bool> is_unread;
    for (const RawLoadChoice& choice : contents.loads.chosen)
      is_unread.push_back(!choice.unread.empty());
    EXPECT_EQ(is_unread, each.is_unread);
  }
}

// Bulk data alone: all supports act, and so does what they prescribe. SPCD is a card of its set.
TEST(CaseControl, DisplacementsThatSupportsPrescribeAreToldWithoutIt) {
  for (const char* support : {"SPC,1,1,3,1e-3\n", "SPCD,21,1,3,1e-3\n"}) {
    SCOPED_TRACE(support);
    const TemporaryFolder folder;
    write_text(folder / "loads.bdf", "FORCE,21,3,0,1.,0.,0.,1.\n" + std::string(support));
    Diagnostics diagnostics;
    const FeModel model =
        import_model({.files = {data("double_mass_spring/dms.bdf"), folder / "loads.bdf"},
                      .stiffness = MatrixPick{data("double_mass_spring/dms.ou1.op4"), "KGG"},
                      .mass = MatrixPick{data("double_mass_spring/dms.ou1.op4"), "MGG"}},
                     diagnostics)
            .model;
    EXPECT_TRUE(model.loads.empty());
    ASSERT_FALSE(diagnostics.warnings().empty());
    bool is_told = false;
    for (const Warning& warning : diagnostics.warnings())
      is_told = is_told || warning.code == "load-case";
    EXPECT_TRUE(is_told);
  }
}

// Truth: the cards. The main bulk data may stand above BEGIN SUPER without BEGIN BULK.
TEST(CaseControl, CardsAboveTheFirstBeginAreRead) {
  const auto grids = [](const std::string& text) {
    const TemporaryFolder folder;
    write_text(folder / "run.bdf", text);
    Diagnostics diagnostics;
    return read_contents(folder / "run.bdf", {}, diagnostics).grids;
  };
  const std::string super = "BEGIN SUPER=1\nGRID,11,,0.,0.,5.\nENDDATA\n";
  for (const char* before : {"GRID,1,,0.,0.,0.\nSPC1,2,123456,1\n",
                             "$ main\nPARAM,POST,-1\nGRID,1,,0.,0.,0.\n",
                             "SPC,2,1,123456,0.\nGRID,1,,0.,0.,0.\n"}) {
    const auto all = grids(before + super);
    ASSERT_EQ(all.size(), 2U) << before;
    EXPECT_EQ(all[0].id, 1);
    EXPECT_EQ(all[0].superelement, 0);
    EXPECT_EQ(all[1].superelement, 1);
  }
  EXPECT_EQ(grids("SPC = 2\nGRID,1,,0.,0.,0.\n" + super).size(), 1U);
}

// Truth: decks of Windows separate folders by a backslash.
TEST(BulkIncludes, FollowABackslash) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "sub");
  write_text(folder / "sub/mesh.bdf", "GRID,1,,0.,0.,0.\n");
  write_text(folder / "run.bdf", "BEGIN BULK\nINCLUDE 'sub\\mesh.bdf'\nENDDATA\n");
  Diagnostics diagnostics;
  EXPECT_EQ(read_contents(folder / "run.bdf", {}, diagnostics).grids.size(), 1U);
  EXPECT_TRUE(diagnostics.warnings().empty());
}

// Truth: the reference guide of NASTRAN: ALPHA and TREF follow the dependent grid points.
TEST(BulkRigidElements, TwoRealsEndTheListOfAnRbe2) {
  Diagnostics diagnostics;
  const FileContents contents =
      deck("", "GRID,1,,0.,0.,0.\nRBE2,10,1,123456,2,3,1.2-5,20.\n", diagnostics);
  ASSERT_EQ(contents.rigid_elements.size(), 1U);
  EXPECT_EQ(contents.rigid_elements[0].dependent, (std::vector<std::int64_t>{2, 3}));
}

}  // namespace
}  // namespace femflex::importer
