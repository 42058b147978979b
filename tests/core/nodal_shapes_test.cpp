// Tests the motion of dependent DOFs in mode shapes that hold a part of the rows alone.
#include "femflex/nodal_shapes.h"

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex {
namespace {

/// Node 3 between nodes 1 and 2, 2 apart: its rotation about z is half the difference of their
/// motions along y.
FeModel beam_of_three() {
  FeModel model;
  for (std::int64_t id = 1; id <= 3; ++id)
    model.nodes.push_back(
        {id, Eigen::Vector3d(id == 3 ? 1.0 : 2.0 * static_cast<double>(id - 1), 0, 0)});
  model.dofs = DofMap({{1, 2}, {2, 2}});
  model.rigid_elements = {{"RBE3", 1, {}, {}, ""}};
  model.constraints = {{{3, 6}, {{{1, 2}, -0.5}, {{2, 2}, 0.5}}, 0}};
  return model;
}

double rotation_of_third(const FeModel& model, std::vector<Dof> rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  const ModeSet modes = make_mode_set(
      DofMap(std::move(rows)), Eigen::MatrixXd::Constant(count, 1, 0.25), {ModeInfo{}});
  return nodal_shapes(model, modes, Units{})(6 * 2 + 5, 0);
}

// Closed form: (v2 - v1) / 2.
TEST(NodalShapes, ADependentDofFollowsWhenAllOthersAreKnown) {
  FeModel model = beam_of_three();
  EXPECT_EQ(rotation_of_third(model, {{1, 2}, {2, 2}}), 0.0);
  model.constraints[0].terms[0].factor = 0.5;
  EXPECT_EQ(rotation_of_third(model, {{1, 2}, {2, 2}}), 0.25);
  // one of two terms is not a motion
  EXPECT_EQ(rotation_of_third(model, {{2, 2}}), 0.0);
  // unless the other one is fixed
  model.fixed = {{1, 2}};
  EXPECT_EQ(rotation_of_third(model, {{2, 2}}), 0.125);
  // its own row goes first
  EXPECT_EQ(rotation_of_third(model, {{1, 2}, {2, 2}, {3, 6}}), 0.25);
}

}  // namespace
}  // namespace femflex
