#pragma once

#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// Pull along the line a-b: see SpringDamper.
PairLoad spring_load(const Model& model,
                     const Workspace& ws,
                     const ForceModel& spring,
                     const MarkerKinematics& a,
                     const MarkerKinematics& b);

/// Slopes of the pull by the vector from a to b and by its rate; false where it has curves or
/// formulas.
bool spring_slopes(const Workspace& ws,
                   const ForceModel& spring,
                   const MarkerKinematics& a,
                   const MarkerKinematics& b,
                   Eigen::Matrix3d& stiffness,
                   Eigen::Matrix3d& damping);

/// Springs beyond their limits at ws.q hold no more from now on, which `memory` (as
/// State::joint_angles) keeps. Whether any broke.
bool break_springs(const Model& model, const Workspace& ws, Eigen::VectorXd& memory);

}  // namespace femflex::mbd_solver
