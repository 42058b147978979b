// Gives mode shapes on all six DOFs of every node, whatever DOFs the modes were given on.
#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/mode_set.h"
#include "femflex/units.h"

namespace femflex {

/// The mode shapes in SI: six rows per node of the model, one column per mode. Dependent DOFs,
/// which rigid elements removed from the matrices, are computed from their independent DOFs; DOFs
/// that no matrix and no element holds are zero.
Eigen::MatrixXd nodal_shapes(const FeModel& model, const ModeSet& modes, const Units& units);

}  // namespace femflex
