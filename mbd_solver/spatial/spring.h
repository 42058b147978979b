#pragma once

#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// Pull along the line a-b: see SpringDamper.
PairLoad spring_load(const Model& model,
                     const Workspace& ws,
                     const SpringLaw& spring,
                     const MarkerKinematics& a,
                     const MarkerKinematics& b);

/// Derivatives of the pull by the vector from a to b and by its rate; false if the law has curves
/// or formulas.
bool spring_slopes(const Workspace& ws,
                   const SpringLaw& spring,
                   const MarkerKinematics& a,
                   const MarkerKinematics& b,
                   Eigen::Matrix3d& stiffness,
                   Eigen::Matrix3d& damping);

/// Whether its pull without dampers or its elongation at ws.q is beyond the limit.
bool spring_breaks(const Model& model, const Workspace& ws, const SpringLaw& spring);

}  // namespace femflex::mbd_solver
