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

// Truth: supports stay over steps until OP=NEW, and the modes are those of the *FREQUENCY step.
TEST(InpBoundaries, OfTheFrequencyStepAreTaken) {
  const TemporaryFolder folder;
  const std::string model =
      "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n*BOUNDARY\n1, 1, 3\n"
      "*STEP\n*STATIC\n*BOUNDARY\n2, 1, 1\n*END STEP\n";
  const auto fixed_by = [&](const std::string& step, bool differs) {
    write_text(folder / "run.inp", model + step);
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    EXPECT_EQ(tells(diagnostics, "supports of steps"), differs) << step;
    return std::set<Dof>(contents.fixed.begin(), contents.fixed.end());
  };
  const std::set<Dof> both{{1, 1}, {1, 2}, {1, 3}, {2, 1}};
  EXPECT_EQ(fixed_by("*STEP\n*FREQUENCY\n2\n*BOUNDARY, OP=NEW\n1, 2, 2\n*END STEP\n", true),
            (std::set<Dof>{{1, 2}}));
  EXPECT_EQ(fixed_by("*STEP\n*FREQUENCY\n2\n*END STEP\n", false), both);
  EXPECT_EQ(fixed_by("*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n*STATIC\n*BOUNDARY, OP=NEW\n"
                     "2, 3, 3\n*END STEP\n",
                     true),
            both);
}

// Truth: the lines themselves: an imaginary force is no part of the real load.
TEST(InpLoads, OfTheImaginaryPartAreNotAdded) {
  for (const char* parameter : {"LOAD CASE=2", "IMAGINARY"}) {
    const TemporaryFolder folder;
    write_text(folder / "run.inp",
               fmt::format("*NODE\n1, 0., 0., 0.\n*STEP\n*STEADY STATE DYNAMICS\n*CLOAD\n1, 1, 2.\n"
                           "*CLOAD, {}\n1, 1, 5.\n*END STEP\n",
                           parameter));
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    ASSERT_EQ(contents.loads.forces.size(), 1U);
    EXPECT_EQ(contents.loads.forces[0].value[0], 2.0);
    EXPECT_TRUE(contents.loads.incomplete.contains(1)) << parameter;
  }
}

// Truth: directions 1 to 3 of the rotation node are rotations of the reference node; a force there
// is a moment.
TEST(InpConstraints, RotationNodesAreRotationsOfTheirReferenceNodes) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n8, 1., 0., 0.\n9, 1., 0., 0.\n10, 2., 0., 0.\n"
             "*RIGID BODY, NSET=E, REF NODE=8, ROT NODE=9\n*NSET, NSET=E\n1\n"
             "*BOUNDARY\n9, 2, 3\n*EQUATION\n3\n10, 2, 1., 8, 2, -1., 9, 1, -2.\n"
             "*STEP\n*STATIC\n*CLOAD\n9, 1, 7.\n*END STEP\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(contents.fixed, (std::vector<Dof>{{8, 5}, {8, 6}}));
  ASSERT_EQ(contents.rigid_elements.size(), 2U);
  EXPECT_EQ(contents.rigid_elements[0].independent_dofs, (std::vector<Dof>{{8, 2}, {8, 4}}));
  ASSERT_EQ(contents.loads.forces.size(), 1U);
  EXPECT_EQ(contents.loads.forces[0].node, 8);
  EXPECT_TRUE(contents.loads.forces[0].is_moment);
  EXPECT_EQ(contents.loads.forces[0].value[0], 7.0);
}

// Truth: frequencies and displacements that CalculiX 2.20 prints. Supports, moments and
// equations on directions 4 to 6 of the reference node of a *RIGID BODY change neither; those of a
// *COUPLING, of the rotation node, and of a node of a shell do. Abaqus applies all.
TEST(InpConstraints, RotationsOfTheReferenceNodeOfARigidBodyAreLeftOut) {
  const TemporaryFolder folder;
  const std::string nodes =
      "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n8, 1., 0., 1.\n9, 1., 0., 1.\n"
      "*NSET, NSET=E\n1\n";
  const std::string loads =
      "*BOUNDARY\n8, 3, 6\n*STEP\n*STATIC\n*CLOAD\n8, 5, 7.\n8, 1, 2.\n*END STEP\n";
  const std::string body = "*RIGID BODY, NSET=E, REF NODE=8\n";
  const struct {
    std::string text;
    std::size_t fixed, forces;
    bool is_told;
  } cases[] = {
      {nodes + body + loads, 1, 1, true},
      {nodes + "*RIGID BODY, NSET=E, REF NODE=8, ROT NODE=9\n*BOUNDARY\n9, 1, 2\n" + loads,
       3,
       1,
       true},
      {nodes +
           "*SURFACE, NAME=S, TYPE=NODE\nE\n*COUPLING, CONSTRAINT NAME=C, REF NODE=8, SURFACE=S\n"
           "*KINEMATIC\n1, 3\n" +
           loads,
       4,
       2,
       false},
      {nodes + "*ELEMENT, TYPE=S3\n1, 2, 3, 8\n" + body + loads, 4, 2, false},
      {"*PREPRINT, ECHO=NO\n" + nodes + body + loads, 4, 2, false}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.text);
    write_text(folder / "run.inp", each.text);
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    EXPECT_EQ(contents.fixed.size(), each.fixed);
    EXPECT_EQ(contents.loads.forces.size(), each.forces);
    EXPECT_EQ(tells(diagnostics, "ROT NODE"), each.is_told);
  }
  write_text(folder / "run.inp", nodes + body + "*EQUATION\n2\n2, 1, 1., 8, 6, -1.\n");
  Diagnostics diagnostics;
  EXPECT_EQ(read_contents(folder / "run.inp", {}, diagnostics).rigid_elements.size(), 1U);
  EXPECT_TRUE(tells(diagnostics, "ROT NODE"));
}

// Truth: the lines themselves. A face S4 of a hexahedron has the nodes 2, 3, 6, 7 of its list.
TEST(InpConstraints, KinematicCouplingsHoldTheNodesOfTheirSurface) {
  const TemporaryFolder folder;
  write_text(
      folder / "run.inp",
      "*NODE\n9, 0., 0., 0.\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 11, 12, 13, 14, 15, 16, 17, 18\n"
      "*SURFACE, NAME=END\nE, S4\n*COUPLING, REF NODE=9, SURFACE=END, CONSTRAINT NAME=C\n"
      "*KINEMATIC\n1, 2\n*COUPLING, REF NODE=9, SURFACE=END, CONSTRAINT NAME=D\n"
      "*DISTRIBUTING\n1, 3\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.rigid_elements.size(), 1U);
  EXPECT_EQ(contents.rigid_elements[0].id, 9);
  EXPECT_EQ(contents.rigid_elements[0].components, "12");
  EXPECT_EQ(contents.rigid_elements[0].dependent, (std::vector<std::int64_t>{12, 13, 16, 17}));
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "*DISTRIBUTING");
}

// Truth: Abaqus, *COUPLING: the directions are those of the ORIENTATION. All three translations,
// or all three rotations, are the same constraint along any axes; a part of them is not.
TEST(InpConstraints, CouplingsAlongOtherAxesAreAppliedWhereTheAxesDoNotMatter) {
  for (const auto& [lines, is_known] : {std::pair{"1, 3\n", true},
                                        std::pair{"1, 6\n", true},
                                        std::pair{"4, 6\n1, 3\n", true},
                                        std::pair{"4, 6\n", true},
                                        std::pair{"1, 5\n", false},
                                        std::pair{"1, 2\n", false},
                                        std::pair{"1, 3\n5\n", false}}) {
    const TemporaryFolder folder;
    write_text(folder / "run.inp",
               std::string("*NODE\n9, 0., 0., 0.\n11, 1., 0., 0.\n*ORIENTATION, NAME=O\n"
                           "1., 1., 0., 0., 1., 0.\n*SURFACE, NAME=S, TYPE=NODE\n11\n"
                           "*COUPLING, REF NODE=9, SURFACE=S, CONSTRAINT NAME=C, ORIENTATION=O\n"
                           "*KINEMATIC\n") +
                   lines);
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    ASSERT_EQ(contents.rigid_elements.size(), 1U) << lines;
    EXPECT_EQ(contents.rigid_elements[0].law != RawConstraint::Law::unknown, is_known) << lines;
  }
}

// Truth: Abaqus pairs the nodes of sets in ascending order, unless a set is unsorted.
TEST(InpConstraints, EquationsPairSortedSets) {
  for (const bool is_unsorted : {false, true}) {
    const TemporaryFolder folder;
    write_text(folder / "run.inp",
               fmt::format("*NODE\n1, 0., 0., 0.\n*NSET, NSET=A{}\n12, 11\n*NSET, NSET=B\n2, 3\n"
                           "*EQUATION\n2\nA, 1, 1., B, 1, -1.\n",
                           is_unsorted ? ", UNSORTED" : ""));
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    ASSERT_EQ(contents.rigid_elements.size(), 2U);
    EXPECT_EQ(contents.rigid_elements[0].dependent.front(), is_unsorted ? 12 : 11);
    EXPECT_EQ(contents.rigid_elements[0].independent.front(), 2);
  }
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

// Truth: CalculiX takes the last of several masses of an element.
TEST(InpMasses, TheLastMassOfAnElementCounts) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n*ELEMENT, TYPE=MASS, ELSET=A\n7, 1\n*ELSET, ELSET=Z\n7\n"
             "*MASS, ELSET=Z\n3.\n*MASS, ELSET=A\n5.\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.masses.size(), 1U);
  EXPECT_EQ(contents.masses[0].mass, 5.0);
}

// Truth: CalculiX's normals hold for the sections before and after their lines, and its last
// section of an element counts.
TEST(InpSections, NormalsHoldWhereverTheyStand) {
  const TemporaryFolder folder;
  const std::string shell =
      "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n"
      "*ELEMENT, TYPE=S3, ELSET=E\n1, 1, 2, 3\n";
  const std::string normal = "*NORMAL\n1, 1, 0.6, 0., 0.8\n";
  const std::string section = "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.1\n";
  for (const std::string& text : {normal + section, section + normal}) {
    write_text(folder / "run.inp", shell + text);
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    ASSERT_EQ(contents.sections.size(), 1U);
    EXPECT_FALSE(contents.sections[0].is_plain);
  }
  write_text(folder / "run.inp", shell + section + "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.3\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.element_sections.size(), 1U);
  EXPECT_EQ(contents.element_sections[0].property, 2);
}

// Truth: a point of the card turned with its instance: axis 1, local x, becomes global y.
TEST(InpTransforms, TurnWithTheInstanceOfTheirPart) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*HEADING\nx\n*PART, NAME=P\n*NODE\n1, 2., 0., 0.\n*NSET, NSET=T\n1\n"
             "*TRANSFORM, NSET=T\n1., 0., 0., 0., 1., 0.\n*END PART\n*ASSEMBLY, NAME=A\n"
             "*INSTANCE, NAME=P-1, PART=P\n0., 0., 0.\n0., 0., 0., 0., 0., 1., 90.\n*END INSTANCE\n"
             "*END ASSEMBLY\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_TRUE(contents.support_axes.contains(1));
  EXPECT_NEAR(contents.support_axes.at(1)(1, 0), 1.0, tolerance(1e-14));
  write_text(folder / "other.inp",
             "*NODE\n1, 0., 0., 0.\n*TRANSFORM, NSET=NONE\n1., 0., 0., 0., 1., 0.\n");
  (void)read_contents(folder / "other.inp", {}, diagnostics);
  EXPECT_TRUE(tells(diagnostics, "NONE"));
  write_text(folder / "sphere.inp",
             "*NODE\n1, 0., 0., 0.\n*TRANSFORM, NSET=T, TYPE=S\n1., 0., 0., 0., 1., 0.\n");
  EXPECT_EQ(code_of([&] { (void)read_contents(folder / "sphere.inp", {}, diagnostics); }),
            "transform");
}

// Truth: the direction in which CalculiX 2.20 prints the motion of a node on the axis whose local
// directions 1 and 3 are held.
TEST(InpTransforms, AreKnownOnTheAxisOfACylinder) {
  const TemporaryFolder folder;
  const struct {
    std::string axis;
    Eigen::Vector3d tangential;
  } cases[] = {{"1,1,0,1,1,1", {0, 1, 0}},
               {"1,0,1,1,1,1", {1, 0, 0}},
               {"0,1,1,1,1,1", {0, 0, 1}},
               {"0,0,0,1,1,1", {-1, -1, 2}},
               {"0,1,0,1,1,1", {-1, 0, 1}},
               {"0,0,1,1,1,1", {0, 0, 1}},
               {"1,2,3,1,1,1", {-1, 0, 0}}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.axis);
    write_text(folder / "run.inp",
               "*NODE,NSET=N\n7,1,1,1\n*TRANSFORM,NSET=N,TYPE=C\n" + each.axis + "\n");
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    ASSERT_EQ(contents.support_axes.size(), 1U);
    const Eigen::Matrix3d& axes = contents.support_axes.at(7);
    EXPECT_NEAR(axes.col(1).cross(each.tangential).norm(), 0.0, tolerance(1e-12));
    EXPECT_NEAR(axes.determinant(), 1.0, tolerance(1e-12));
  }
}

// Truth: a quarter turn about z takes x to y, and axis 1 of the beam, local y, to -x; the part's
// mesh may stand in the part or in its instance.
TEST(InpInstances, ATurnedInstanceTurnsMaterialsAndBeams) {
  const TemporaryFolder folder;
  const std::string mesh =
      "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n"
      "*ELEMENT, TYPE=B31, ELSET=B\n1, 1, 2\n*ELEMENT, TYPE=S4, ELSET=S\n2, 1, 2, 3, 4\n"
      "*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n3, 0.\n"
      "*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT\n0.1, 0.2\n0., 1., 0.\n"
      "*SHELL SECTION, ELSET=S, MATERIAL=M, ORIENTATION=O\n0.01\n";
  const std::string placement = "0., 0., 0.\n0., 0., 0., 0., 0., 1., 90.\n";
  const std::string material =
      "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
      "1e11, 2e10, 2e10, 0.3, 0.3, 0.3, 1e10, 1e10\n1e10\n";
  write_text(folder / "part.inp",
             "*HEADING\nx\n*PART, NAME=P\n" + mesh +
                 "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=P-1, PART=P\n" + placement +
                 "*END INSTANCE\n*END ASSEMBLY\n" + material);
  write_text(folder / "instance.inp",
             "*HEADING\nx\n*PART, NAME=P\n*END PART\n*ASSEMBLY, NAME=A\n"
             "*INSTANCE, NAME=P-1, PART=P\n" +
                 placement + mesh + "*END INSTANCE\n*END ASSEMBLY\n" + material);
  for (const char* name : {"part.inp", "instance.inp"}) {
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / name, {}, diagnostics);
    ASSERT_EQ(contents.element_sections.size(), 2U) << name;
    const auto direction = [&](std::size_t k) -> Eigen::Vector3d {
      const auto fields = static_cast<std::size_t>(contents.element_sections[k].fields);
      return contents.section_fields.at(fields).values.direction;
    };
    const Eigen::Vector3d beam = direction(0);
    const Eigen::Vector3d shell = direction(1);
    EXPECT_NEAR((beam + Eigen::Vector3d::UnitX()).norm(), 0.0, tolerance(1e-14)) << name;
    EXPECT_NEAR((shell - Eigen::Vector3d::UnitY()).norm(), 0.0, tolerance(1e-14)) << name;
  }
}

// What is found out behind the last line, or at a line that names no file, still has its place: the
// deck, the last line, the keyword itself.
TEST(InpFiles, WhatIsFoundAtTheEndHasAPlace) {
  const TemporaryFolder folder;
  write_text(
      folder / "steps.inp",
      "*HEADING\nx\n*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n*STEP\n*STATIC\n*BOUNDARY\n1, 1, 3\n"
      "*END STEP\n*STEP\n*FREQUENCY\n2\n*BOUNDARY, OP=NEW\n2, 1, 3\n*END STEP\n");
  Diagnostics diagnostics;
  static_cast<void>(read_contents(folder / "steps.inp", {}, diagnostics));
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings().front().code, "step-supports");
  EXPECT_EQ(diagnostics.warnings().front().where.file, (folder / "steps.inp").string());
  const auto place_of = [&](const std::string& name, const std::string& text) {
    write_text(folder / name, text);
    try {
      static_cast<void>(read_contents(folder / name, {}, diagnostics));
    } catch (const ParseError& error) {
      return error.where().text();
    }
    return std::string("accepted");
  };
  const std::string head = "*HEADING\nx\n*NODE\n1, 0., 0., 0.\n";
  EXPECT_EQ(place_of("short.inp", head + "*ELEMENT, TYPE=C3D4\n1, 1\n"),
            (folder / "short.inp").string() + ":6: *ELEMENT");
  EXPECT_EQ(place_of("include.inp", head + "*INCLUDE\n"),
            (folder / "include.inp").string() + ":5: *INCLUDE");
  write_text(folder / "part.inp", "*ELEMENT, TYPE=C3D4\n1, 1\n");
  EXPECT_EQ(place_of("outer.inp", head + "*INCLUDE, INPUT=part.inp\n"),
            (folder / "outer.inp").string() + ":5: *ELEMENT");
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

// Truth: CalculiX 2.20, which opens every included file beside the deck, and says "cannot open
// file" where it is beside the including file alone.
TEST(InpInclude, OfAnIncludedFileIsBesideTheDeck) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "parts");
  write_text(folder / "run.inp", "*INCLUDE, INPUT=parts/mesh.inp\n");
  write_text(folder / "parts/mesh.inp", "*NODE\n*INCLUDE, INPUT=points.txt\n");
  write_text(folder / "parts/points.txt", "1, 0., 0., 0.\n");
  Diagnostics diagnostics;
  EXPECT_EQ(read_contents(folder / "run.inp", {}, diagnostics).grids.size(), 1U);
  write_text(folder / "points.txt", "1, 0., 0., 0.\n2, 1., 0., 0.\n");
  EXPECT_EQ(read_contents(folder / "run.inp", {}, diagnostics).grids.size(), 2U);
  std::filesystem::remove(folder / "parts/points.txt");
  EXPECT_EQ(read_contents(folder / "run.inp", {}, diagnostics).grids.size(), 2U);
  EXPECT_TRUE(diagnostics.empty());
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

// Truth: the same range where the nodes stand in the deck itself.
TEST(InpSets, ALongRangeNamesNodesOfFilesThatAreReadLater) {
  const TemporaryFolder folder;
  write_text(folder / "points.txt", "7, 0., 0., 0.\n500000, 2., 0., 0.\n");
  for (const char* lines : {"*NODE, INPUT=points.txt\n", "*NODE\n*INCLUDE,\nINPUT=points.txt\n"}) {
    write_text(folder / "run.inp",
               std::string("*NSET, NSET=ALL, GENERATE\n1, 4000000000, 1\n") + lines);
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    EXPECT_EQ(contents.node_sets.at("ALL"), (std::vector<std::int64_t>{7, 500000})) << lines;
  }
}

// Truth: the nodes of the element.
TEST(InpSets, ANodeSetMayBeThatOfElements) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n*ELEMENT, TYPE=B31, ELSET=E\n5, 3, 4\n*NSET, NSET=A, ELSET=E\n"
             "*NSET, NSET=A\n9\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  const auto& nodes = contents.node_sets.at("A");
  EXPECT_EQ(std::set<std::int64_t>(nodes.begin(), nodes.end()), (std::set<std::int64_t>{3, 4, 9}));
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
