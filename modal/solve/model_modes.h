// Normal modes of the unknowns of a model, with their places and with messages that name DOFs.
#pragma once

#include <Eigen/Core>

#include "solve/mechanism_messages.h"
#include "solve/normal_modes.h"
#include "solve/spline_eigenvalues.h"

namespace femflex::modal {

/// Places and components of the unknowns, from the nodes of the model.
UnknownPlaces places_of(const NamedUnknowns& names);

/// normal_modes() with the places of the unknowns, and with error messages that name the DOFs if K
/// and M share a zero-energy motion.
/// @param request  without places
NormalModes normal_modes(ShiftedFactor& factor,
                         const NamedUnknowns& names,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress);

}  // namespace femflex::modal
