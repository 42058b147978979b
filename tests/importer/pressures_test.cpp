// Pressures on faces and forces of rotation. Truth: a uniform pressure on a closed surface has
// neither force nor moment; centre of pressure and centrifugal force in closed form; displacements
// by CalculiX.
#include "model/pressures.h"

#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using Eigen::Vector3d;
using testing::data;
using testing::TemporaryFolder;
using testing::tolerance;
using testing::write_text;

/// Force and moment about the origin.
struct Resultant {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
};

Resultant resultant_of(const std::vector<NodeForce>& forces, const std::vector<Node>& nodes) {
  Resultant out;
  for (const NodeForce& each : forces) {
    out.force += each.force;
    out.moment += nodes[static_cast<std::size_t>(each.node - 1)].position.cross(each.force);
  }
  return out;
}

/// One solid with its nodes 1, 2, ...
struct Solid {
  std::vector<Node> nodes;
  std::vector<ElementBlock> block;
};

/// A distorted solid with bent edges.
Solid solid_of(const std::string& type, const std::vector<Vector3d>& corners, int nodes) {
  Solid out;
  std::vector<Vector3d> x = corners;
  const ElementTopology& topology = topology_of(shape_of(type, nodes));
  for (const ElementEdge& edge : topology.edges)
    if (edge.mid >= 0)
      x.emplace_back(0.5 * (x[static_cast<std::size_t>(edge.corners[0])] +
                            x[static_cast<std::size_t>(edge.corners[1])]));
  ElementBlock block{type, nodes, {1}, {}};
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto s = static_cast<double>(k);
    x[k] += 0.05 * Vector3d(std::sin(3 * s), std::cos(5 * s), std::sin(7 * s + 1));
    out.nodes.push_back({static_cast<std::int64_t>(k) + 1, x[k], 0});
    block.connectivity.push_back(static_cast<std::int64_t>(k) + 1);
  }
  out.block = {block};
  return out;
}

std::vector<Solid> solids() {
  const std::vector<Vector3d> cube{
      {0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}};
  const std::vector<Vector3d> wedge{
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {1, 0, 2}, {0, 1, 2}};
  const std::vector<Vector3d> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Vector3d> pyramid{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}};
  return {solid_of("CHEXA", cube, 8),
          solid_of("CHEXA", cube, 20),
          solid_of("CPENTA", wedge, 6),
          solid_of("CPENTA", wedge, 15),
          solid_of("CTETRA", corner, 4),
          solid_of("CTETRA", corner, 10),
          solid_of("CPYRAM", pyramid, 5),
          solid_of("CPYRAM", pyramid, 13)};
}

// Truth: the divergence theorem. Each face is named by all its corners.
TEST(Pressures, OnAllFacesOfASolidTheyBalance) {
  for (const Solid& solid : solids()) {
    const ElementBlock& block = solid.block.front();
    SCOPED_TRACE(block.type + std::to_string(block.nodes_per_element));
    const PressureFaces faces(solid.block, solid.nodes);
    Resultant sum;
    double size = 0.0;
    std::string reason;
    for (const ElementFace& face :
         topology_of(shape_of(block.type, block.nodes_per_element)).faces) {
      RawPressure pressure{.element = 1, .values = {3.0, 3.0, 3.0, 3.0}};
      for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k)
        pressure.corners.push_back(face.corners[k] + 1);
      const auto forces = faces.forces(pressure, {}, reason);
      ASSERT_TRUE(forces) << reason;
      const Resultant one = resultant_of(*forces, solid.nodes);
      sum.force += one.force;
      sum.moment += one.moment;
      size += one.force.norm();
    }
    EXPECT_GT(size, 1.0);
    EXPECT_LT(sum.force.norm(), tolerance(1e-13) * size);
    EXPECT_LT(sum.moment.norm(), tolerance(1e-13) * size);
  }
}

/// The force of a unit pressure on the face of an undistorted solid that G1 and G3 or G4 name.
Vector3d force_of(const std::string& type, std::int64_t corner, std::int64_t second) {
  const std::vector<Vector3d> x{
      {0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}};
  std::vector<Node> nodes;
  for (std::size_t k = 0; k < x.size(); ++k)
    nodes.push_back({static_cast<std::int64_t>(k) + 1, x[k], 0});
  std::vector<ElementBlock> block{{type, 8, {1}, {1, 2, 3, 4, 5, 6, 7, 8}}};
  if (type == "CPENTA") block = {{type, 6, {1}, {1, 2, 4, 5, 6, 8}}};
  if (type == "CTETRA") block = {{type, 4, {1}, {1, 2, 4, 5}}};
  if (type == "CPYRAM") block = {{type, 5, {1}, {1, 2, 3, 4, 5}}};
  const PressureFaces faces(block, nodes);
  std::string reason;
  const auto forces = faces.forces(
      {.element = 1, .values = {1.0, 1.0, 1.0, 1.0}, .corner = corner, .second = second},
      {},
      reason);
  return forces ? resultant_of(*forces, nodes).force : Vector3d::Constant(-9.0);
}

// Truth: areas and normals by hand; pressure acts inward.
TEST(Pressures, GridsOfPload4NameTheFace) {
  const auto expect = [](const Vector3d& force, const Vector3d& truth) {
    EXPECT_LT((force - truth).norm(), tolerance(1e-14)) << force.transpose();
  };
  const Vector3d none = Vector3d::Constant(-9.0);
  expect(force_of("CHEXA", 1, 3), {0, 0, 2});
  expect(force_of("CHEXA", 8, 6), {0, 0, -2});
  expect(force_of("CHEXA", 2, 7), {-1, 0, 0});
  expect(force_of("CHEXA", 1, 6), {0, 2, 0});
  expect(force_of("CHEXA", 1, 2), none);  // two faces have this edge
  expect(force_of("CHEXA", 1, 7), none);
  expect(force_of("CPENTA", 1, 0), {0, 0, 1});
  expect(force_of("CPENTA", 8, 0), {0, 0, -1});
  expect(force_of("CPENTA", 2, 8), {-1, -2, 0});
  expect(force_of("CTETRA", 1, 5), {0, 0, 1});
  expect(force_of("CTETRA", 2, 1), {-0.5, -1, -1});
  expect(force_of("CPYRAM", 1, 3), {0, 0, 2});
  expect(force_of("CPYRAM", 1, 2), {0, 1, 0});
  expect(force_of("CPYRAM", 2, 5), none);
}

// Truth: p = 1, 2, 2, 1 at the corners of a rectangle of 2 x 3: force 9, its centre at x = 10 / 9;
// the same on the face of a solid, where P1 to P4 turn about the outward normal from G1.
TEST(Pressures, VaryLinearlyBetweenTheCorners) {
  const std::vector<Node> nodes{{1, {0, 0, 0}, 0},
                                {2, {2, 0, 0}, 0},
                                {3, {2, 3, 0}, 0},
                                {4, {0, 3, 0}, 0},
                                {5, {0, 0, 1}, 0},
                                {6, {2, 0, 1}, 0},
                                {7, {2, 3, 1}, 0},
                                {8, {0, 3, 1}, 0}};
  const std::vector<ElementBlock> blocks{{"CQUAD4", 4, {1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}},
                                         {"CHEXA", 8, {9}, {1, 2, 3, 4, 5, 6, 7, 8}}};
  const PressureFaces faces(blocks, nodes);
  std::string reason;
  const RawPressure plate{.element = 1, .values = {1.0, 2.0, 2.0, 1.0}};
  const Resultant up = resultant_of(faces.forces(plate, {}, reason).value(), nodes);
  EXPECT_NEAR(up.force.z(), 9.0, tolerance(1e-13));
  EXPECT_NEAR(up.moment.y(), -10.0, tolerance(1e-13));
  RawPressure top{.element = 9, .values = {2.0, 2.0, 1.0, 1.0}, .corner = 6, .second = 8};
  const Resultant down = resultant_of(faces.forces(top, {}, reason).value(), nodes);
  EXPECT_NEAR(down.force.z(), -9.0, tolerance(1e-13));
  EXPECT_NEAR(down.moment.y(), 10.0, tolerance(1e-13));
  // along a direction: per area of the face, whatever its inclination
  const PressureDirection along_x = [](const Vector3d&) { return Vector3d(1, 0, 0); };
  const Resultant drag = resultant_of(faces.forces(top, along_x, reason).value(), nodes);
  EXPECT_NEAR(drag.force.x(), 9.0, tolerance(1e-13));
  EXPECT_NEAR(drag.force.z(), 0.0, tolerance(1e-13));
  // a range takes the surface elements in it; a solid in it has no face that the card names
  const RawPressure both{.element = 1, .last_element = 2, .values = {1.0, 1.0, 1.0, 1.0}};
  EXPECT_NEAR(resultant_of(faces.forces(both, {}, reason).value(), nodes).force.z(),
              12.0,
              tolerance(1e-13));
  EXPECT_FALSE(faces.forces({.element = 1, .last_element = 9}, {}, reason));
  EXPECT_FALSE(faces.forces({.element = 77}, {}, reason));
  // PLOAD on a triangle and a quadrangle of grids
  const RawPressure three{.values = {4.0, 4.0, 4.0, 4.0}, .corners = {1, 2, 3}};
  EXPECT_NEAR(resultant_of(faces.forces(three, {}, reason).value(), nodes).force.z(),
              12.0,
              tolerance(1e-13));
  const RawPressure four{.values = {4.0, 4.0, 4.0, 4.0}, .corners = {1, 2, 3, 4}};
  EXPECT_NEAR(resultant_of(faces.forces(four, {}, reason).value(), nodes).force.z(),
              24.0,
              tolerance(1e-13));
}

/// The tetrahedron of data/npz with the cards of `loads`: masses 1, 2, 3, 4 at grids 11 to 14.
FeModel tetrahedron_with(const std::string& loads, Diagnostics& diagnostics) {
  const TemporaryFolder folder;
  write_text(folder / "loads.bdf",
             "BEGIN BULK\nGRID,11,,0.,0.,0.\nGRID,12,,1.,0.,0.\nGRID,13,,0.,1.,0.\n"
             "GRID,14,,0.,0.,1.\nCTETRA,1,1,11,12,13,14\nCTRIA3,2,1,12,13,14\n" +
                 loads + "ENDDATA\n");
  return import_model({.files = {folder / "loads.bdf", data("npz/valid/model.npz")}}, diagnostics)
      .model;
}

int cases_left_out(const Diagnostics& diagnostics) {
  int count = 0;
  for (const Warning& warning : diagnostics.warnings())
    if (warning.message.find("is left out") != std::string::npos) ++count;
  return count;
}

Vector3d load_at(const FeModel& model, std::size_t load, std::int64_t node) {
  Vector3d out;
  for (std::int8_t c = 1; c <= 3; ++c)
    out(c - 1) = model.loads.at(load).load(model.dofs.find({node, c}));
  return out;
}

// Truth: m omega^2 r outward and m alpha x r, along the angular acceleration: MSC Nastran, Quick
// Reference Guide, RFORCE, remark 1. A and RACC are in revolutions.
TEST(Rotations, RforceLoadsEveryMass) {
  Diagnostics diagnostics;
  const FeModel model = tetrahedron_with(
      "RFORCE,1,0,0,0.5,0.,0.,1.\nRFORCE,2,12,0,0.,0.,0.,2.,2\n,0.25\nLOAD,3,2.,1.,1,-1.,2\n",
      diagnostics);
  ASSERT_EQ(model.loads.size(), 1U);
  constexpr double kPi = std::numbers::pi;
  // set 1: omega = pi about z through the origin; set 2: alpha = pi about z through grid 12
  const auto truth = [&](double mass, const Vector3d& at) {
    const Vector3d axis = Vector3d::UnitZ();
    const Vector3d spin = mass * kPi * kPi * Vector3d(at.x(), at.y(), 0.0);
    const Vector3d swing = mass * kPi * axis.cross(at - Vector3d::UnitX());
    return Vector3d(2.0 * spin - 2.0 * swing);
  };
  const std::vector<Vector3d> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::int64_t k = 0; k < 4; ++k)
    EXPECT_LT((load_at(model, 0, 11 + k) -
               truth(static_cast<double>(k + 1), x[static_cast<std::size_t>(k)]))
                  .norm(),
              tolerance(1e-12));
}

// Truth: forces of RACC turn the body the way of the acceleration: their moment about the axis is
// J alpha, J the sum of m r^2; along a system CID, and with both A and RACC on one card.
TEST(Rotations, ForcesOfRaccHaveTheMomentOfTheAcceleration) {
  Diagnostics diagnostics;
  const FeModel model = tetrahedron_with(
      "CORD2R,5,0,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\nRFORCE,1,0,0,3.,0.,0.,1.,2\n,0.5\n"
      "RFORCE,2,11,5,0.,0.,0.,1.,2\n,-0.5\nRFORCE,3,0,0,1.,0.,0.,1.,2\n,,,7\n",
      diagnostics);
  ASSERT_EQ(model.loads.size(), 2U);
  EXPECT_EQ(cases_left_out(diagnostics), 1);  // on a set of elements
  const std::vector<Vector3d> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vector3d about_z = Vector3d::Zero(), about_x = Vector3d::Zero();
  for (std::int64_t k = 0; k < 4; ++k) {
    const Vector3d& at = x[static_cast<std::size_t>(k)];
    about_z += at.cross(load_at(model, 0, 11 + k));
    about_x += at.cross(load_at(model, 1, 11 + k));
  }
  constexpr double kPi = std::numbers::pi;  // 0.5 revolutions
  EXPECT_NEAR(about_z.z(), (2.0 + 3.0) * kPi, tolerance(1e-11));
  EXPECT_NEAR(about_x.x(), -(3.0 + 4.0) * kPi, tolerance(1e-11));
}

// Truth: a unit pressure on the face x + y + z = 1 is (1, 1, 1) / 2 on the plate and its opposite
// on the solid; FORCE2 acts along (12 - 11) x (14 - 13).
TEST(Rotations, AllCardsOfPressureStandInSets) {
  Diagnostics diagnostics;
  const FeModel model = tetrahedron_with(
      "PLOAD2,1,6.,2\nPLOAD4,2,1,6.,,,,12,11\nPLOAD,3,6.,12,13,14\nFORCE2,4,11,5.,11,12,13,14\n"
      "PLOAD4,5,2,6.,,,,THRU,2\n,0,0.,0.,-2.\nPLOAD4,6,1,1.,,,,12,12\nPLOAD2,7,1.,1\n",
      diagnostics);
  ASSERT_EQ(model.loads.size(), 5U);  // sets 6 and 7 name no face of the solid
  EXPECT_EQ(cases_left_out(diagnostics), 2);
  for (std::int64_t node = 12; node <= 14; ++node) {
    EXPECT_LT((load_at(model, 0, node) - Vector3d(1, 1, 1)).norm(), tolerance(1e-13));
    EXPECT_LT((load_at(model, 1, node) + Vector3d(1, 1, 1)).norm(), tolerance(1e-13));
    EXPECT_LT((load_at(model, 2, node) - Vector3d(1, 1, 1)).norm(), tolerance(1e-13));
    EXPECT_LT((load_at(model, 4, node) + Vector3d(0, 0, std::sqrt(3.0))).norm(), tolerance(1e-13));
  }
  EXPECT_LT((load_at(model, 3, 11) - 5.0 * Vector3d(0, -1, -1).normalized()).norm(),
            tolerance(1e-13));
}

// Truth: OptiStruct's manual, PLOAD2: with the flag ELSET the numbers are those of sets. A list
// that is not understood to its end is part of a load.
TEST(Pressures, AListThatIsNotReadToItsEndLeavesItsSetOut) {
  for (const std::string card : {"PLOAD2,1,6.,2,,,,,\n,ELSET\n",
                                 "PLOAD2,1,6.,2,ELSET\n",
                                 "PLOAD2,1,6.,1,THRU,3,BY,2\n",
                                 "PLOAD2,1,6.,1,THRU,3,EXCEPT,2\n",
                                 "PLOAD2,1,6.,2,TIP\n"}) {
    Diagnostics diagnostics;
    const FeModel model = tetrahedron_with(card + "FORCE,9,11,0,1.,1.,0.,0.\n", diagnostics);
    ASSERT_EQ(model.loads.size(), 1U) << card;
    EXPECT_EQ(model.loads[0].id, 9) << card;
    EXPECT_EQ(cases_left_out(diagnostics), 1) << card;
  }
}

// Truth: ids of elements begin at 1, and PLOAD takes three or four corners.
TEST(Pressures, ANumberThatIsNoElementIsRefusedByName) {
  Diagnostics diagnostics;
  try {
    static_cast<void>(tetrahedron_with("PLOAD2,1,2.0,0\n", diagnostics));
    FAIL() << "element 0 was loaded";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "element-id");
  }
  const std::vector<ElementBlock> no_elements;
  const std::vector<Node> no_nodes;
  const PressureFaces faces(no_elements, no_nodes);
  std::string reason;
  EXPECT_FALSE(faces.forces({.values = {1.0, 1.0, 1.0, 1.0}}, {}, reason));
  EXPECT_NE(reason.find("3 or 4"), std::string::npos) << reason;
}

// Truth: displacements that CalculiX 2.20 prints, seven digits: pressures on faces and surfaces
// that stay over steps, are replaced on single elements, add up within a step, and begin anew.
TEST(InpPressures, DisplacementsOfEveryStepAreThoseOfCalculix) {
  Diagnostics diagnostics;
  const auto file = [](const char* ending) {
    return data(std::string("calculix/pressed/pressed") + ending);
  };
  const FeModel model =
      import_model({.files = {file(".inp"), file(".sti"), file(".mas"), file(".dof")}}, diagnostics)
          .model;
  ASSERT_EQ(model.loads.size(), 5U);
  const SparseMatrix K = model.stiffness->selfadjointView<Eigen::Lower>();
  const Eigen::SimplicialLDLT<SparseMatrix> factor(K);
  std::ifstream printed(data("calculix/pressed/displacements.txt"));
  for (const LoadCase& load : model.loads) {
    const Eigen::VectorXd u = factor.solve(load.load);
    double off = 0.0, largest = 0.0;
    for (int line = 0; line < 12; ++line) {
      std::int64_t node = 0;
      Vector3d value;
      ASSERT_TRUE(printed >> node >> value.x() >> value.y() >> value.z());
      largest = std::max(largest, value.cwiseAbs().maxCoeff());
      for (std::int8_t c = 1; c <= 3; ++c)
        if (const auto row = model.dofs.find({node, c}); row >= 0)
          off = std::max(off, std::abs(u(row) - value(c - 1)));
    }
    EXPECT_LT(off, tolerance(1e-6) * largest) << load.label;
  }
}

// Truth: weight and centrifugal force by hand; on a part of the elements they are left out.
TEST(InpPressures, GravityAndRotationActOnAllElements) {
  const TemporaryFolder folder;
  const std::string part =
      "*NODE\n11,0.,0.,0.\n12,1.,0.,0.\n13,0.,1.,0.\n14,0.,0.,1.\n*ELEMENT,TYPE=C3D4,ELSET=E\n"
      "1,11,12,13,14\n*ELEMENT,TYPE=S3,ELSET=S\n2,12,13,14\n*ELSET,ELSET=ALL\nE,S\n";
  const auto step = [](const std::string& lines) {
    return "*STEP\n*STATIC\n*DLOAD,OP=NEW\n" + lines + "*END STEP\n";
  };
  write_text(folder / "run.inp",
             part + step("ALL,GRAV,9.81,0.,0.,-2.\n") + step(",GRAV,9.81,0.,0.,-2.\n") +
                 step("E,GRAV,3.,1.,0.,0.\nS,GRAV,3.,1.,0.,0.\n") +
                 step("ALL,CENTRIF,4.,0.,1.,0.,0.,0.,5.\n") + step("E,GRAV,1.,0.,0.,1.\n") +
                 step("S,P,6.\n") + step("ALL,P2,6.\n") + step("S,EDNOR1,6.\n") +
                 step("ALL,CENTRIF,4.,0.,1.,0.,0.,0.,0.\n"));
  Diagnostics diagnostics;
  const FeModel model =
      import_model({.files = {folder / "run.inp", data("npz/valid/model.npz")}, .force = true},
                   diagnostics)
          .model;
  ASSERT_EQ(model.loads.size(), 5U);
  EXPECT_EQ(cases_left_out(diagnostics), 4);
  EXPECT_NEAR(load_at(model, 0, 14).z(), -4.0 * 9.81, tolerance(1e-12));
  EXPECT_NEAR(load_at(model, 1, 13).z(), -3.0 * 9.81, tolerance(1e-12));
  EXPECT_NEAR(load_at(model, 2, 12).x(), 6.0, tolerance(1e-12));
  EXPECT_LT((load_at(model, 3, 12) - 2.0 * 4.0 * Vector3d(1, -1, 0)).norm(), tolerance(1e-12));
  EXPECT_LT((load_at(model, 4, 12) - Vector3d(1, 1, 1)).norm(), tolerance(1e-12));
}

/// The contents of an .inp with one solid (set E, also F), one node set and these steps.
FileContents steps_of_solid(const std::string& steps) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE,NSET=N\n11,0.,0.,0.\n12,1.,0.,0.\n13,0.,1.,0.\n14,0.,0.,1.\n"
             "*ELEMENT,TYPE=C3D4,ELSET=E\n1,11,12,13,14\n*ELSET,ELSET=F\n1\n" +
                 steps);
  Diagnostics diagnostics;
  return read_contents(folder / "run.inp", {}, diagnostics);
}

/// The acceleration of a step.
Vector3d gravity_of(const FileContents& contents, std::int64_t step) {
  Vector3d out = Vector3d::Zero();
  for (const RawGravity& each : contents.loads.gravity)
    if (each.set == step)
      out += Vector3d(each.acceleration[0], each.acceleration[1], each.acceleration[2]);
  return out;
}

// Truth: support forces that CalculiX 2.20 prints for a cube under these lines: lines of one step
// add up; a line replaces one of an earlier step along the same direction on the same region.
TEST(InpPressures, GravityAddsUpUnlessALaterStepReplacesIt) {
  const FileContents contents = steps_of_solid(
      "*STEP\n*STATIC\n*DLOAD\nE,GRAV,10.,0.,0.,-1.\nE,GRAV,6.,0.,0.,-2.\n*END STEP\n"
      "*STEP\n*STATIC\n*DLOAD\nE,GRAV,4.,0.,0.,-1.\n*END STEP\n"
      "*STEP\n*STATIC\n*DLOAD\nE,GRAV,4.,1.,0.,0.\n*END STEP\n"
      "*STEP\n*STATIC\n*DLOAD\nF,GRAV,4.,1.,0.,0.\n*END STEP\n"
      "*STEP\n*STATIC\n*DLOAD,OP=NEW\nE,GRAV,3.,0.,1.,0.\nE,GRAV,3.,0.,1.,0.\n*END STEP\n"
      "*STEP\n*STATIC\n*DLOAD,OP=NEW\nE,GRAV,3.,0.,0.,0.\n*END STEP\n");
  EXPECT_LT((gravity_of(contents, 1) - Vector3d(0, 0, -16)).norm(), tolerance(1e-13));
  EXPECT_LT((gravity_of(contents, 2) - Vector3d(0, 0, -4)).norm(), tolerance(1e-13));
  EXPECT_LT((gravity_of(contents, 3) - Vector3d(4, 0, -4)).norm(), tolerance(1e-13));
  EXPECT_LT((gravity_of(contents, 4) - Vector3d(8, 0, -4)).norm(), tolerance(1e-13));
  EXPECT_LT((gravity_of(contents, 5) - Vector3d(0, 6, 0)).norm(), tolerance(1e-13));
  ASSERT_EQ(contents.loads.incomplete.size(), 1U);
  EXPECT_EQ(contents.loads.incomplete.begin()->first, 6);
}

// Truth: support forces that CalculiX 2.20 prints: distributed loads stay through and after a
// perturbation. A deck of parts is one of Abaqus, where a perturbation stands alone.
TEST(InpPressures, GravityStaysOverAPerturbation) {
  const std::string steps =
      "*STEP\n*STATIC\n*DLOAD\nE,GRAV,10.,0.,0.,-1.\n*END STEP\n"
      "*STEP,PERTURBATION\n*STATIC\n*DLOAD\nE,GRAV,3.,1.,0.,0.\n*END STEP\n"
      "*STEP\n*STATIC\n*DLOAD\nE,P2,5.\n*END STEP\n";
  const FileContents calculix = steps_of_solid(steps);
  EXPECT_EQ(gravity_of(calculix, 2), Vector3d(3, 0, -10));
  EXPECT_EQ(gravity_of(calculix, 3), Vector3d(3, 0, -10));
  const FileContents abaqus = steps_of_solid("*ASSEMBLY,NAME=A\n*END ASSEMBLY\n" + steps);
  EXPECT_EQ(gravity_of(abaqus, 2), Vector3d(3, 0, 0));
  EXPECT_EQ(gravity_of(abaqus, 3), Vector3d(0, 0, -10));
  ASSERT_EQ(abaqus.loads.pressures.size(), 1U);
}

// Truth: an amplitude is a function of time: the load case has the size of its line.
TEST(InpPressures, AnAmplitudeLeavesTheSizeOfTheLine) {
  const FileContents contents =
      steps_of_solid("*STEP\n*STATIC\n*DLOAD,AMPLITUDE=A\nE,GRAV,10.,0.,0.,-1.\n*END STEP\n");
  EXPECT_TRUE(contents.loads.incomplete.empty());
  EXPECT_EQ(gravity_of(contents, 1), Vector3d(0, 0, -10));
}

// Truth: a step keeps the pressures of the steps before, so that each of 4000 steps has four.
TEST(InpPressures, ManyStepsKeepTheirLines) {
  std::string steps;
  for (int k = 0; k < 4000; ++k)
    steps += fmt::format("*STEP\n*DLOAD\nE,P{},5.\n*END STEP\n", k % 4 + 1);
  EXPECT_EQ(steps_of_solid(steps).loads.pressures.size(), 4U * 4000U - 6U);
}

}  // namespace
}  // namespace femflex::importer
