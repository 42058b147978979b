// What `check` says of a model.
#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"

#include "program.h"
#include "support/spring_frame.h"

namespace femflex::testing {
namespace {

namespace frame = spring_frame;
using pipeline::Json;

SparseMatrix lower(const Eigen::MatrixXd& A) {
  const Eigen::MatrixXd triangle = A.triangularView<Eigen::Lower>();
  return triangle.sparseView();
}

/// The frame in metres, its nodes written to `digit`.
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

// Truth: K has a null space of six, whatever the file says of its nodes.
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

// Truth: three springs of 1e4 N/m along the axes at one point leave the three rotations, and hold
// translations softly: not zero, though the first elastic eigenvalue is a thousand times as large.
TEST(Check, SoftSpringsAreNoZeroModes) {
  const Program femflex;
  FeModel model = rounded_to(0.01);
  for (int c = 1; c <= 3; ++c)
    model.stiffness->coeffRef(frame::at(1, c), frame::at(1, c)) += 1e4;
  importer::write_fe_model(model, femflex.file("soft.fe.h5"));
  EXPECT_EQ(femflex.json("check soft.fe.h5").find("zero_modes")->number(), 3);
}

}  // namespace
}  // namespace femflex::testing
