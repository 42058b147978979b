// Computes the scale factors that give modes unit modal mass.
#pragma once

#include <Eigen/Core>

namespace femflex::modal {

/// alpha_i = 1 / sqrt(y_i' M y_i) from the diagonal of the reduced mass matrix, so that the scaled
/// columns have unit modal mass.  docs/theory/modal.md eq. (5).
/// @throws NumericalError  a diagonal entry is not positive: the column has no modal mass
Eigen::VectorXd mass_scale(const Eigen::MatrixXd& m);

}  // namespace femflex::modal
