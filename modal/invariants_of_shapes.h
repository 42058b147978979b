// Inertia invariants from shapes that are passed by value, so that large shapes need no copy: two
// steps of body_invariants().
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/inertia_invariants.h"

namespace femflex::modal {

/// As consistent_invariants(), but takes the shapes over. Absent if the model has no mass matrix.
/// @param Phi  shapes on model.dofs, SI
std::optional<InertiaInvariants> invariants_of_shapes(const FeModel& model, Eigen::MatrixXd Phi);

/// Chooses as body_invariants() does: `consistent`, or `lumped` where rows of M are missing.
/// @param consistent  invariants_of_shapes() of the body
InertiaInvariants chosen_invariants(const FeModel& model,
                                    std::optional<InertiaInvariants> consistent,
                                    InertiaInvariants lumped);

}  // namespace femflex::modal
