// The load, stiffness and breaking of SpringDamper between two points a and b.
#pragma once

#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// Computes the pull along the line a-b, see SpringDamper.
PairLoad spring_load(const Model& model,
                     const Workspace& ws,
                     const SpringLaw& spring,
                     const MarkerKinematics& a,
                     const MarkerKinematics& b);

/// Computes the derivatives of the pull with respect to the vector from a to b and its rate.
/// Returns false if the law has curves or formulas.
bool spring_slopes(const Workspace& ws,
                   const SpringLaw& spring,
                   const MarkerKinematics& a,
                   const MarkerKinematics& b,
                   Eigen::Matrix3d& stiffness,
                   Eigen::Matrix3d& damping);

/// Whether the spring exceeds a limit at ws.q: its pull without dampers, or its elongation.
bool spring_breaks(const Model& model, const Workspace& ws, const SpringLaw& spring);

}  // namespace femflex::mbd_solver
