// Mode shapes on all six DOFs of every node, whatever DOFs the modes were given on.
#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/mode_set.h"
#include "femflex/units.h"

namespace femflex {

/// U on all six DOFs of every node in SI (6 nodes x modes). DOFs that rigid elements removed from
/// the matrices follow the DOFs that they depend on.
Eigen::MatrixXd nodal_shapes(const FeModel& model, const ModeSet& modes, const Units& units);

}  // namespace femflex
