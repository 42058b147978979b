// Gives mode shapes on all six DOFs of every node, whatever DOFs the modes were given on.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/constraints.h"
#include "femflex/fe_model.h"
#include "femflex/mode_set.h"
#include "femflex/units.h"

namespace femflex {

/// The dependent DOFs without a row in the modes whose motion the modes tell: they have the rows of
/// all DOFs that it depends on, apart from fixed ones.
std::vector<const Dependence::Follower*> known_followers(const FeModel& model,
                                                         const Dependence& dependence,
                                                         const ModeSet& modes);

/// The mode shapes in SI: six rows per node of the model, one column per mode. Dependent DOFs,
/// which rigid elements removed from the matrices, are computed from their independent DOFs if
/// the modes have all of these (known_followers()); DOFs that the modes do not tell are zero.
Eigen::MatrixXd nodal_shapes(const FeModel& model, const ModeSet& modes, const Units& units);

}  // namespace femflex
