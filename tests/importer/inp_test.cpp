// Tests keywords of CalculiX and Abaqus decks: sets, instances, supports, equations, rigid bodies,
// masses and INCLUDE.
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::code_of;
using testing::TemporaryFolder;
using testing::tolerance;
using testing::write_text;

/// True if a warning contains `words`.
bool tells(const Diagnostics& diagnostics, const std::string& words) {
  for (const Warning& entry : diagnostics.warnings())
    if (entry.message.find(words) != std::string::npos) return true;
  return false;
}

// Truth: a quarter turn about z through (1, 0, 0) takes (2, 0, 0) to (1, 1, 0), after the shift by
// (0, 0, 3).
TEST(InpInstances, AnInstanceShiftsAndThenTurnsItsNodes) {
  const TemporaryFolder folder;
  write_text(folder / "part.inp",
             "*HEADING\nx\n*INSTANCE, NAME=a, PART=b\n0., 0., 3.\n1., 0., 0., 1., 0., 1., 90.\n"
             "*NODE\n1, 2., 0., 0.\n*END INSTANCE\n*NODE\n2, 2., 0., 0.\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "part.inp", {}, diagnostics);
  ASSERT_EQ(contents.grids.size(), 2U);
  EXPECT_NEAR(contents.grids[0].x[0], 1.0, tolerance(1e-14));
  EXPECT_NEAR(contents.grids[0].x[1], 1.0, tolerance(1e-14));
  EXPECT_NEAR(contents.grids[0].x[2], 3.0, tolerance(1e-14));
  EXPECT_EQ(contents.grids[1].x[0], 2.0);
}

// Truth: a quarter turn about z exchanges x and y: I11 = 2, I22 = 3, I12 = 0.5 become 3, 2, -0.5.
TEST(InpInstances, ATurnedInstanceTurnsItsRotaryInertia) {
  const TemporaryFolder folder;
  write_text(folder / "turned.inp",
             "*HEADING\nx\n*PART, NAME=b\n*NODE\n1, 2., 0., 0.\n*ELEMENT, TYPE=ROTARYI, ELSET=E\n"
             "1, 1\n*ROTARY INERTIA, ELSET=E\n2., 3., 4., 0.5, 0., 0.\n*END PART\n"
             "*ASSEMBLY, NAME=c\n*INSTANCE, NAME=a, PART=b\n0., 0., 0.\n"
             "0., 0., 0., 0., 0., 1., 90.\n*END INSTANCE\n*END ASSEMBLY\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "turned.inp", {}, diagnostics);
  ASSERT_EQ(contents.masses.size(), 1U);
  const std::array<double, 6> expected{3.0, 0.5, 2.0, 0.0, 0.0, 4.0};  // products: opposites
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(contents.masses[0].inertia[k], expected[k], tolerance(1e-14)) << k;
}

// Truth: a turn of 90 degrees about z takes (2, 0, 0) to (0, 2, 0); a second instance of a part
// would repeat its node numbers.
TEST(InpInstances, AnInstancePlacesTheNodesOfItsPart) {
  const TemporaryFolder folder;
  const std::string part = "*HEADING\nx\n*PART, NAME=b\n*NODE\n1, 2., 0., 0.\n*END PART\n";
  const std::string instance =
      "*INSTANCE, NAME=a, PART=b\n0., 0., 0.\n0., 0., 0., 0., 0., 1., 90.\n*END INSTANCE\n";
  write_text(folder / "one.inp", part + "*ASSEMBLY, NAME=c\n" + instance + "*END ASSEMBLY\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "one.inp", {}, diagnostics);
  ASSERT_EQ(contents.grids.size(), 1U);
  EXPECT_NEAR(contents.grids[0].x[0], 0.0, tolerance(1e-14));
  EXPECT_NEAR(contents.grids[0].x[1], 2.0, tolerance(1e-14));
  write_text(folder / "two.inp", part + instance + instance);
  EXPECT_EQ(code_of([&] { (void)read_contents(folder / "two.inp", {}, diagnostics); }),
            "instances");
}

// Truth: the manual's own words for each condition.
TEST(InpBoundaries, NamedConditionsHoldTheirDofs) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 0., 0.\n*BOUNDARY\nHELD, PINNED\n"
             "2, ZSYMM\n3, 2, 2, 0.5\nNOBODY, 1\n*NSET, NSET=HELD\n1\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  const std::set<Dof> fixed(contents.fixed.begin(), contents.fixed.end());
  EXPECT_EQ(fixed, (std::set<Dof>{{1, 1}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {2, 5}, {3, 2}}));
  EXPECT_TRUE(tells(diagnostics, "NOBODY"));
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "*BOUNDARY with a value other than 0");
}

// Truth: the lines themselves. Sets may be defined later; a set of the first term gives an equation
// for each of its nodes.
TEST(InpConstraints, EquationsTakeSets) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 2., 0., 0.\n*EQUATION\n2\nROW, 1, 1., 3, 1, "
             "-1.\n2\nNONE, 1, 1., 3, 1, -1.\n*NSET, NSET=ROW\n1, 2\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.rigid_elements.size(), 2U);
  EXPECT_EQ(contents.rigid_elements[1].dependent_dofs, (std::vector<Dof>{{2, 1}}));
  EXPECT_EQ(contents.rigid_elements[1].independent_dofs, (std::vector<Dof>{{3, 1}}));
  EXPECT_EQ(contents.rigid_elements[1].factors, (std::vector<double>{1.0, -1.0}));
  EXPECT_TRUE(tells(diagnostics, "NONE"));
}

TEST(InpConstraints, EquationsThatAreNotCompleteAreRefused) {
  const TemporaryFolder folder;
  const std::string nodes = "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n*EQUATION\n";
  for (const char* lines : {"3\n1, 1, 1., 2, 1, -1.\n",
                            "3\n1, 1, 1.\n*NODE\n3, 0., 0., 0.\n",
                            "2\n1, 7, 1., 2, 1, -1.\n",
                            "2\n1, 1, x, 2, 1, -1.\n"}) {
    write_text(folder / "run.inp", nodes + lines);
    Diagnostics diagnostics;
    EXPECT_EQ(code_of([&] { (void)read_contents(folder / "run.inp", {}, diagnostics); }), "entry")
        << lines;
  }
}

// Truth: the nodes that the lines name. REF NODE may be a set of one node; pinned nodes follow with
// their displacements alone; nodes of elements follow with all components.
TEST(InpConstraints, RigidBodiesTakeSetsAndElements) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 2., 0., 0.\n4, 3., 0., 0.\n9, 0., 0., 1.\n"
             "*RIGID BODY, REF NODE=HUB, PIN NSET=PINS, ELSET=RIM\n*NSET, NSET=HUB\n9\n"
             "*NSET, NSET=PINS\n1, 2\n*ELEMENT, TYPE=B31, ELSET=RIM\n5, 3, 4, 1\n"
             "*RIGID BODY, REF NODE=NONE, NSET=PINS\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.rigid_elements.size(), 2U);
  EXPECT_EQ(contents.rigid_elements[0].id, 9);
  EXPECT_EQ(contents.rigid_elements[0].components, "123");
  EXPECT_EQ(contents.rigid_elements[0].dependent, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(contents.rigid_elements[1].components, "123456");
  EXPECT_EQ(contents.rigid_elements[1].dependent, (std::vector<std::int64_t>{3, 4}));
  EXPECT_TRUE(tells(diagnostics, "NONE"));
}

// Truth: the manual's I12 is minus the integral of rho x1 x2, an entry of the tensor; CONM2 gives
// the opposite of the entry.
TEST(InpMasses, ProductsOfInertiaAreEntriesOfTheTensor) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n*ELEMENT, TYPE=ROTARYI, ELSET=R\n7, 1\n"
             "*ROTARY INERTIA, ELSET=R\n4., 5., 6., -1., -2., 3.\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.masses.size(), 1U);
  EXPECT_EQ(contents.masses[0].inertia, (std::array<double, 6>{4.0, 1.0, 5.0, 2.0, -3.0, 6.0}));
}

// Truth: the same deck in one piece.
TEST(InpInclude, StandsInThePlaceOfItsLines) {
  const TemporaryFolder folder;
  write_text(folder / "points.txt", "2, 1., 0., 0.\n3, 2., 0., 0.\n");
  write_text(folder / "run.inp",
             "*NODE, NSET=ALL\n1, 0., 0., 0.\n*INCLUDE, INPUT=points.txt\n4, 3., 0., 0.\n");
  write_text(folder / "other.inp", "*NODE, NSET=ALL, INPUT=points.txt\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(contents.grids.size(), 4U);
  EXPECT_EQ(contents.node_sets.at("ALL"), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(read_contents(folder / "other.inp", {}, diagnostics).grids.size(), 2U);
}

TEST(InpElements, WithTooFewNodesAreRefused) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n*NODE\n2, 0., 0., 0.\n");
  Diagnostics diagnostics;
  EXPECT_EQ(code_of([&] { (void)read_contents(folder / "run.inp", {}, diagnostics); }), "entry");
}

// A long range names what the deck has of it, wherever that is; it sizes no memory by itself.
TEST(InpSets, ALongRangeNamesTheNodesThatTheDeckHas) {
  const TemporaryFolder folder;
  write_text(folder / "nodes.inp", "*NODE\n7, 0., 0., 0.\n9, 1., 0., 0.\n500000, 2., 0., 0.\n");
  write_text(
      folder / "run.inp",
      "*NSET, NSET=ALL, GENERATE\n1, 4000000000, 1\n*NSET, NSET=EVEN, GENERATE\n2, 900000, 2\n"
      "*INCLUDE, INPUT=nodes.inp\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(contents.node_sets.at("ALL"), (std::vector<std::int64_t>{7, 9, 500000}));
  EXPECT_EQ(contents.node_sets.at("EVEN"), (std::vector<std::int64_t>{500000}));
}

// Truth: first id of the range; the next one, first + step, exceeds 64 bits.
TEST(InpSets, AStepBeyondTheRangeNamesItsFirstId) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n7, 0., 0., 0.\n*NSET, NSET=ONE, GENERATE\n7, 9, 9223372036854775807\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(contents.node_sets.at("ONE"), (std::vector<std::int64_t>{7}));
}

// Truth: the lines themselves. Members stand where their set is named, wherever it is defined; a
// set that contains itself by way of others ends there.
TEST(InpSets, SetsOfSetsKeepTheOrderOfTheDeck) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n*NSET, NSET=A\n9, B, 8\n*NSET, NSET=B\n5, C\n*NSET, NSET=C\n6\n"
             "*NSET, NSET=X\nY, 1\n*NSET, NSET=Y\n2, X\n*NSET, NSET=Z\nNONE, 3\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(contents.node_sets.at("A"), (std::vector<std::int64_t>{9, 5, 6, 8}));
  EXPECT_EQ(contents.node_sets.at("B"), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(contents.node_sets.at("X"), (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_TRUE(tells(diagnostics, "NONE"));
  std::string chain = "*NODE\n1, 0., 0., 0.\n";
  for (int k = 0; k < 3000; ++k)
    chain += fmt::format("*NSET, NSET=S{:04}\nS{:04}\n", k, k + 1);
  write_text(folder / "chain.inp", chain + "*NSET, NSET=S3000\n1\n");
  EXPECT_EQ(code_of([&] { (void)read_contents(folder / "chain.inp", {}, diagnostics); }), "entry");
}

// Sets of sets double with every line: the deck's size limits what they may name.
TEST(InpSets, SetsThatGrowWithoutEndAreRefused) {
  const TemporaryFolder folder;
  std::string deck = "*NODE\n1, 0., 0., 0.\n*NSET, NSET=S0, GENERATE\n1, 9000, 1\n";
  for (int k = 1; k < 40; ++k)
    deck += fmt::format("*NSET, NSET=S{}\nS{}, S{}\n", k, k - 1, k - 1);
  write_text(folder / "run.inp", deck);
  Diagnostics diagnostics;
  EXPECT_THROW(read_contents(folder / "run.inp", {}, diagnostics), ParseError);
}

}  // namespace
}  // namespace femflex::importer
