// Computes static solutions of held and of floating models, and constraint modes.
#pragma once

#include <Eigen/Core>

#include "solve/mechanism_messages.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// Factors K itself, using `factor`.
/// @throws NumericalError  K is singular; names the DOFs that nothing fixes
/// @throws ModelError      K is indefinite
void factor_stiffness(ShiftedFactor& factor, const NamedUnknowns& names);

/// Factors K of a floating part, shifted slightly below its rigid modes by a multiple of M.
/// @throws NumericalError  even that is singular; names the DOFs that have neither stiffness
///                         nor mass
void factor_shifted_stiffness(ShiftedFactor& factor, const NamedUnknowns& names);

/// Constraint modes on the interior unknowns, Psi = -K_ii^-1 K_ib; `factor` holds the factorisation
/// of K_ii.  docs/theory/modal.md eq. (6).
Eigen::MatrixXd constraint_modes(const ShiftedFactor& factor, const Partition& part);

/// Elastic displacements u under loads f of a part that may float: K u = f - M X0 X0' f,
/// X0' M u = 0, where X0 are the rigid modes (if there are none: K u = f).
///
/// Uses a factorisation of K - sigma M: the error of u <- u + (K - sigma M)^-1 (f - K u) falls by
/// the factor |sigma| / lambda_1 in each round. docs/theory/modal.md eq. (28).
/// @throws NumericalError  no contraction; names the DOFs of a mechanism if that is the reason
Eigen::MatrixXd elastic_solutions(const ShiftedFactor& factor,
                                  const NamedUnknowns& names,
                                  const Eigen::MatrixXd& rigid,
                                  const Eigen::MatrixXd& f);

}  // namespace femflex::modal
