#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"

#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// Makes `factor` hold K itself.
/// @param rows  model row of each unknown, for the message
/// @throws NumericalError  K is singular: names the freedoms that nothing holds
/// @throws ModelError      K is indefinite
void hold_stiffness(ShiftedFactor& factor,
                    const FeModel& model,
                    const std::vector<std::int64_t>& rows);

/// Constraint modes on the free unknowns, Psi = -K_ii^-1 K_ib; `factor` is that of the free part
/// and holds K_ii.  docs/theory/modal.md eq. (6).
Eigen::MatrixXd constraint_answers(const ShiftedFactor& factor, const Partition& part);

/// Elastic answers u to loads f on a part that may float: K u = f - M X0 X0' f, X0' M u = 0, with
/// X0 the rigid modes (none: K u = f).
///
/// The factor of K - sigma M that found the modes serves: u <- u + (K - sigma M)^-1 (f - K u)
/// contracts by |sigma| / lambda_1.  docs/theory/modal.md eq. (28).
/// @throws NumericalError  no contraction
Eigen::MatrixXd elastic_answers(const ShiftedFactor& factor,
                                const Eigen::MatrixXd& rigid,
                                const Eigen::MatrixXd& f);

}  // namespace femflex::modal
