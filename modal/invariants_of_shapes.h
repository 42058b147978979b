// Inertia invariants of shapes that the caller no longer needs: the steps of body_invariants() and
// consistent_invariants() one by one, without a copy of the shapes.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/inertia_invariants.h"

namespace femflex::modal {

/// consistent_invariants() of shapes that are used up; absent if the model has no mass matrix.
/// @param Phi  shapes on model.dofs, SI
std::optional<InertiaInvariants> invariants_of_shapes(const FeModel& model, Eigen::MatrixXd Phi);

/// The invariants of the body, chosen as body_invariants() does.
/// @param consistent  invariants_of_shapes() of the body
InertiaInvariants chosen_invariants(const FeModel& model,
                                    std::optional<InertiaInvariants> consistent,
                                    InertiaInvariants lumped);

}  // namespace femflex::modal
