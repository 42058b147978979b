// Tests the forces K R of rigid motions R, in any units.
#include "femflex/rigid_residual.h"

#include <gtest/gtest.h>

#include "support/spring_frame.h"
#include "support/support.h"

namespace femflex {
namespace {

namespace frame = testing::spring_frame;
using testing::tolerance;

/// The frame with its lengths in units of `length` metres; node 7 is displaced by `off` metres.
FeModel frame_in(double length, double off) {
  FeModel model;
  std::vector<std::int64_t> ids;
  Eigen::VectorXd unit(6 * frame::kNodes);
  for (int id = 1; id <= frame::kNodes; ++id) {
    ids.push_back(id);
    const Eigen::Vector3d aside(id == 7 ? off : 0.0, 0.0, 0.0);
    model.nodes.push_back({id, (frame::position(id) + aside) / length});
    unit.segment<6>(frame::at(id, 1)) << Eigen::Vector3d::Constant(length), Eigen::Vector3d::Ones();
  }
  model.dofs = DofMap::all_six(ids);
  const Eigen::MatrixXd K = unit.asDiagonal() * frame::stiffness() * unit.asDiagonal();
  const Eigen::MatrixXd lower = K.triangularView<Eigen::Lower>();
  model.stiffness = SparseMatrix(lower.sparseView());
  return model;
}

// Truth: every bar resists the relative motion of its ends as of one rigid body, and nothing else.
TEST(RigidResidual, IsRoundOffForExactPositions) {
  for (const double length : {1.0, 1e-3, 0.0254, 1e3})
    EXPECT_LT(rigid_residual(frame_in(length, 0.0)).value, tolerance(1e-14)) << length;
}

// Truth: units do not change what a model is; node 7 is displaced by 1e-4 of the size of the model.
TEST(RigidResidual, IsTheSameInEveryUnit) {
  const double of_metres = rigid_residual(frame_in(1.0, 1e-4)).value;
  EXPECT_GT(of_metres, 1e-5);
  EXPECT_LT(of_metres, 1e-4);
  for (const double length : {1e-3, 0.0254, 1e3}) {
    const RigidResidual found = rigid_residual(frame_in(length, 1e-4));
    EXPECT_NEAR(found.value / of_metres, 1.0, tolerance(1e-9)) << length;
    EXPECT_GE(found.motion, 3);
  }
}

// A spring to ground shows at its DOF, in the direction that it holds.
TEST(RigidResidual, NamesTheRowAndTheMotion) {
  FeModel model = frame_in(1.0, 0.0);
  model.stiffness->coeffRef(frame::at(5, 2), frame::at(5, 2)) += 1e5;
  const RigidResidual found = rigid_residual(model);
  EXPECT_EQ(found.row, frame::at(5, 2));
  EXPECT_GT(found.value, 1e-3);
}

}  // namespace
}  // namespace femflex
