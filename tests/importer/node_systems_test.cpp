// Tests where *SYSTEM and SYSTEM= of *NODE place the nodes of an Abaqus deck, what is told of nodes
// that are generated or have the number of another node, and of supports in a matrix.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::TemporaryFolder;
using testing::tolerance;
using testing::write_text;

std::vector<Eigen::Vector3d> nodes(const std::string& lines, Diagnostics& diagnostics) {
  const TemporaryFolder folder;
  write_text(folder / "a.inp", "*HEADING\nx\n" + lines);
  std::vector<Eigen::Vector3d> out;
  for (const RawGrid& grid : read_contents(folder / "a.inp", {}, diagnostics).grids)
    out.emplace_back(grid.x[0], grid.x[1], grid.x[2]);
  return out;
}

/// The place of a node at (1, 2, 3) below the lines.
Eigen::Vector3d place(const std::string& lines) {
  Diagnostics diagnostics;
  const auto all = nodes(lines + "*NODE\n1, 1., 2., 3.\n", diagnostics);
  EXPECT_TRUE(diagnostics.warnings().empty());
  return all.at(0);
}

void expect_at(const Eigen::Vector3d& found, const Eigen::Vector3d& expected) {
  EXPECT_LT((found - expected).norm(), tolerance(1e-13)) << found.transpose();
}

// Truth: the keyword guide of Abaqus: origin a, b on axis 1, c in the plane of axes 1 and 2 on the
// side of axis 2; without c the Z axis stays and axis 1 is projected onto the XY plane.
TEST(NodeSystems, PointsOfASystemPlaceTheNodesBelowIt) {
  expect_at(place("*SYSTEM\n100.\n"), {101, 2, 3});
  expect_at(place("*SYSTEM\n10., 0., 5., 10., 7., 5.\n"), {8, 1, 8});
  expect_at(place("*SYSTEM\n10., 0., 5., 10., 7., 9.\n"), {8, 1, 8});
  expect_at(place("*SYSTEM\n0., 0., 0., 0., 0., 2.\n1., 0., 4.\n"), {2, 3, 1});
  expect_at(place("*SYSTEM\n10., 0., 0.\n*SYSTEM\n"), {1, 2, 3});
  expect_at(place("*SYSTEM\n10., 0., 0.\n*SYSTEM\n5., 0., 0.\n"), {6, 2, 3});
}

// Truth: the same: radius, angle in degrees, height.
TEST(NodeSystems, CylindricalCoordinatesAreOfTheSystem) {
  Diagnostics diagnostics;
  auto all = nodes("*NODE, SYSTEM=C\n1, 2., 90., 3.\n*NODE\n2, 2., 90., 3.\n", diagnostics);
  expect_at(all.at(0), {0, 2, 3});
  expect_at(all.at(1), {2, 90, 3});
  all = nodes("*SYSTEM\n10., 0., 0., 10., 1., 0.\n*NODE, SYSTEM=C\n1, 2., 90., 3.\n", diagnostics);
  expect_at(all.at(0), {8, 0, 3});
  EXPECT_TRUE(diagnostics.warnings().empty());
}

// A part that stands in an instance is placed after the system has placed its nodes.
TEST(NodeSystems, AnInstancePlacesWhatTheSystemHasPlaced) {
  Diagnostics diagnostics;
  const auto all = nodes(
      "*PART, NAME=P\n*SYSTEM\n10., 0., 0.\n*NODE\n1, 1., 2., 3.\n*END PART\n"
      "*PART, NAME=Q\n*NODE\n2, 1., 2., 3.\n*END PART\n*ASSEMBLY, NAME=A\n"
      "*INSTANCE, NAME=P-1, PART=P\n0., 0., 1.\n*END INSTANCE\n"
      "*INSTANCE, NAME=Q-1, PART=Q\n*END INSTANCE\n*END ASSEMBLY\n",
      diagnostics);
  expect_at(all.at(0), {11, 2, 4});
  expect_at(all.at(1), {1, 2, 3});
}

// Coordinates that cannot be placed make the deck useless: it is refused.
TEST(NodeSystems, RefusesWhatItCannotPlace) {
  const auto code = [](const std::string& lines) -> std::string {
    Diagnostics diagnostics;
    try {
      nodes(lines, diagnostics);
    } catch (const ParseError& error) {
      return error.code();
    }
    return "";
  };
  EXPECT_EQ(code("*NODE, SYSTEM=S\n1, 1., 2., 3.\n"), "node-system");
  EXPECT_EQ(code("*SYSTEM\n1., 0., 0., 1., 0., 0.\n*NODE\n1, 1., 2., 3.\n"), "node-system");
  EXPECT_EQ(code("*SYSTEM\n0., 0., 0., 0., 0., 1.\n*NODE\n1, 1., 2., 3.\n"), "node-system");
  EXPECT_EQ(code("*SYSTEM\n0., 0., 0., 1., 0., 0.\n2., 0., 0.\n*NODE\n1, 1.\n"), "node-system");
}

// Elements of nodes that no *NODE gives: the deck makes them by *NGEN, *NFILL, *NCOPY or *NMAP.
TEST(NodeSystems, RefusesElementsOfGeneratedNodes) {
  const std::string ends = "*NODE\n1, 0.\n3, 2.\n*NGEN\n1, 3\n";
  Diagnostics diagnostics;
  EXPECT_THROW(nodes(ends + "*ELEMENT, TYPE=B31\n1, 1, 2\n", diagnostics), ParseError);
  EXPECT_NO_THROW(nodes(ends + "*ELEMENT, TYPE=B31\n1, 1, 3\n", diagnostics));
}

// Truth: the deck: node 1 of the part and node 1 of the assembly are two nodes.
TEST(NodeSystems, SaysThatPartAndAssemblyHaveTheSameNumber) {
  const TemporaryFolder folder;
  write_text(folder / "a.inp",
             "*HEADING\nx\n*PART, NAME=P\n*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n*END PART\n"
             "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=P-1, PART=P\n*END INSTANCE\n"
             "*NODE\n1, 0.5, 0.5, 2.\n*END ASSEMBLY\n");
  Diagnostics diagnostics;
  try {
    import_model({.files = {folder / "a.inp"}}, diagnostics);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "duplicate-grid");
    EXPECT_NE(error.message().find("the same file"), std::string::npos) << error.message();
    EXPECT_NE(error.fix().find("without parts"), std::string::npos) << error.fix();
  }
}

// Truth: Abaqus, matrix generation: 1e36 on the diagonal of DOFs with boundary conditions.
TEST(AbaqusLabels, TellOfSupportsInTheMatrix) {
  const TemporaryFolder folder;
  write_text(folder / "a_STIF1.mtx", "1,1, 1,1, 1.0e+36\n2,1, 1,1, -5.0\n2,1, 2,1, 5.0\n");
  Diagnostics diagnostics;
  read_contents(folder / "a_STIF1.mtx", {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "supports-in-matrix");
}

}  // namespace
}  // namespace femflex::importer
