// Tests the findings of `check` on a model.
#include <gtest/gtest.h>

#include "femflex/frames.h"
#include "femflex/importer/fe_model_file.h"

#include "body/check_model.h"
#include "program.h"
#include "support/spring_frame.h"

namespace femflex::testing {
namespace {

namespace frame = spring_frame;
using tools::Json;

SparseMatrix lower(const Eigen::MatrixXd& A) {
  const Eigen::MatrixXd triangle = A.triangularView<Eigen::Lower>();
  return triangle.sparseView();
}

/// The frame in metres, with node positions rounded to `digit`.
FeModel rounded_to(double digit) {
  FeModel model;
  model.units = parse_units("m-kg-s");
  std::vector<std::int64_t> ids;
  for (int id = 1; id <= frame::kNodes; ++id) {
    ids.push_back(id);
    model.nodes.push_back({id, (frame::position(id) / digit).array().round() * digit});
  }
  model.dofs = DofMap::all_six(ids);
  model.stiffness = lower(frame::stiffness());
  model.mass = lower(frame::mass());
  return model;
}

bool tells(const Json& check, const std::string& code) {
  for (const Json& finding : check.find("findings")->items())
    if (finding.find("code")->text() == code) return true;
  return false;
}

// Truth: the null space of K has dimension six for any node positions in the file.
TEST(Check, CountsZeroModesOfTheStiffnessAndSaysWhereTheyAreNoRigidMotions) {
  const Program femflex;
  importer::write_fe_model(rounded_to(0.01), femflex.file("exact.fe.h5"));
  Json check = femflex.json("check exact.fe.h5");
  EXPECT_EQ(check.find("zero_modes")->number(), 6);
  EXPECT_FALSE(tells(check, "rigid-motions"));
  EXPECT_EQ(check.find("verdict")->text(), "pass");
  importer::write_fe_model(rounded_to(0.02), femflex.file("coarse.fe.h5"));
  check = femflex.json("check coarse.fe.h5");
  EXPECT_EQ(check.find("zero_modes")->number(), 6);
  EXPECT_TRUE(tells(check, "rigid-motions"));
  EXPECT_EQ(check.find("verdict")->text(), "fail");
}

// Truth: three springs of 1e4 N/m along the axes at one point leave the three rotations free and
// make the translations soft. Their eigenvalues are not zero, although the first elastic eigenvalue
// is a thousand times as large.
TEST(Check, SoftSpringsAreNoZeroModes) {
  const Program femflex;
  FeModel model = rounded_to(0.01);
  for (int c = 1; c <= 3; ++c)
    model.stiffness->coeffRef(frame::at(1, c), frame::at(1, c)) += 1e4;
  importer::write_fe_model(model, femflex.file("soft.fe.h5"));
  EXPECT_EQ(femflex.json("check soft.fe.h5").find("zero_modes")->number(), 3);
}

// Truth: a beam with point masses at its two ends moves freely in five ways; its turning about its
// axis has no mass. Its only elastic mode is the stretching.
TEST(Check, CountsAllZeroModesOfAModelOfFewModes) {
  FeModel model;
  model.units = parse_units("m-kg-s");
  model.nodes = {{1, Eigen::Vector3d::Zero()}, {2, Eigen::Vector3d::UnitX()}};
  model.dofs = DofMap::all_six({1, 2});
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 12);  // motion of node 2 against node 1
  B.rightCols<6>().setIdentity();
  B.leftCols<6>() = -Eigen::MatrixXd::Identity(6, 6);
  B.block<3, 3>(0, 3) = cross_matrix(Eigen::Vector3d::UnitX());
  Eigen::VectorXd c(6);
  c << 1e6, 12e4, 12e4, 1e3, 1e4, 1e4;
  model.stiffness = lower(B.transpose() * c.asDiagonal() * B);
  Eigen::VectorXd m = Eigen::VectorXd::Zero(12);
  m.segment<3>(0).setConstant(2.0);
  m.segment<3>(6).setConstant(3.0);
  model.mass = lower(m.asDiagonal());
  EXPECT_EQ(tools::check_model(model, no_progress()).zero_modes, 5);
}

// A model without the data that modes and bodies need does not pass.
TEST(Check, FailsModelsThatAreEmptyOrLackStiffnessOrMass) {
  const Program femflex;
  FeModel model = rounded_to(0.01);
  model.mass.reset();
  importer::write_fe_model(model, femflex.file("no_mass.fe.h5"));
  EXPECT_EQ(femflex("check no_mass.fe.h5").exit_code, 1);
  EXPECT_TRUE(tells(femflex.json("check no_mass.fe.h5"), "no-mass"));
  model.stiffness.reset();
  importer::write_fe_model(model, femflex.file("neither.fe.h5"));
  const Json check = femflex.json("check neither.fe.h5");
  EXPECT_TRUE(tells(check, "no-mass"));
  EXPECT_TRUE(tells(check, "no-stiffness"));
  EXPECT_EQ(check.find("verdict")->text(), "fail");
  importer::write_fe_model(FeModel{}, femflex.file("empty.fe.h5"));
  EXPECT_TRUE(tells(femflex.json("check empty.fe.h5"), "empty"));
}

/// Ten lumped masses of a free steel bar with a section of 1 cm2 and a length of 1 m, in the units
/// `unit`.
FeModel steel_bar(const std::string& unit, const std::string& declared) {
  const Units units = parse_units(unit);
  constexpr int n = 10;
  constexpr double h = 1.0 / (n - 1);              // [m]
  constexpr double stiffness = 2.1e11 * 1e-4 / h;  // [N/m]
  constexpr double mass = 7850.0 * 1e-4 / n;       // [kg]
  FeModel model;
  if (!declared.empty()) model.units = parse_units(declared);
  std::vector<Dof> rows;
  ElementBlock rods{"CROD", 2, {}, {}};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    model.nodes.push_back({k + 1, Eigen::Vector3d(k * h / units.length, 0.0, 0.0)});
    rows.push_back({k + 1, 1});
    if (k == 0) continue;
    rods.ids.push_back(k);
    rods.connectivity.insert(rods.connectivity.end(), {k, k + 1});
    const Eigen::Matrix2d bar = (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
    K.block<2, 2>(k - 1, k - 1) += stiffness / units.stiffness() * bar;
  }
  model.elements.push_back(rods);
  model.dofs = DofMap(rows);
  model.stiffness = lower(K);
  model.mass = lower(mass / units.mass * Eigen::MatrixXd::Identity(n, n));
  return model;
}

// Truth: a mass of 0.785 kg in all units; the speed of sound in steel is sqrt(E / rho) = 5172 m/s.
TEST(Check, SaysTheMassInKilogramsAndJudgesTheUnits) {
  const Program femflex;
  for (const char* unit : {"m-kg-s", "mm-t-s", "mm-kg-ms", "in-lbf-s"}) {
    SCOPED_TRACE(unit);
    importer::write_fe_model(steel_bar(unit, unit), femflex.file("bar.fe.h5"));
    EXPECT_NE(femflex("check bar.fe.h5").out.find("mass 0.785 kg"), std::string::npos);
    EXPECT_FALSE(tells(femflex.json("check bar.fe.h5"), "units-implausible"));
  }
  importer::write_fe_model(steel_bar("mm-t-s", "m-kg-s"), femflex.file("wrong.fe.h5"));
  EXPECT_TRUE(tells(femflex.json("check wrong.fe.h5"), "units-implausible"));
  importer::write_fe_model(steel_bar("m-kg-s", "mm-t-s"), femflex.file("wrong.fe.h5"));
  EXPECT_TRUE(tells(femflex.json("check wrong.fe.h5"), "units-implausible"));
  importer::write_fe_model(steel_bar("mm-t-s", ""), femflex.file("none.fe.h5"));
  EXPECT_NE(femflex("check none.fe.h5").out.find("in the file's units"), std::string::npos);
}

// Truth: the meaning of the cards in the deck.
TEST(Info, TellsWhatMattersOfWhatWasNotRead) {
  const Program femflex;
  write_text(femflex.file("a.bdf"),
             "BEGIN BULK\nGRID,1,,0.,0.,0.\nMAT10,1,2.1+9,1000.\nPLSOLID,1,1\nTEMPD,5,20.\n"
             "TEMPD,6,30.\nXYZZY,1\nENDDATA\n");
  const std::string out = femflex("info a.bdf").out;
  EXPECT_NE(out.find("loads that are not read: 2 x TEMPD"), std::string::npos) << out;
  EXPECT_NE(out.find("not understood: 1 x XYZZY"), std::string::npos) << out;
  EXPECT_NE(out.find("not needed: 1 x MAT10, 1 x PLSOLID"), std::string::npos) << out;
}

TEST(Info, RefusesRowsAndColumnsThatCannotBe) {
  const Program femflex;
  for (const char* samples : {"-1,1", "1.5,2", "0,0", "1", "nan,1", "1e30,1"}) {
    const CommandResult result =
        femflex("info " + dms("dms.ou1.op4") + " --samples '" + samples + "'");
    EXPECT_EQ(result.exit_code, 2) << samples;
  }
  EXPECT_EQ(femflex("import " + dms("dms.bdf") + " --mpc -5 -o x.fe.h5").exit_code, 2);
}

}  // namespace
}  // namespace femflex::testing
