#pragma once

#include <complex>

#include <Eigen/Core>

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// B' (K - s M)^-1 B at s beside w^2, with no mode known, by real factors of K - tau M, tau at w^2
/// or near it: K - s M is projected on the blocks A^-1 B, A^-1 M A^-1 B, ..., as many as it takes.
/// docs/theory/modal.md eq. (38).
/// @param scale  (columns of B) what counts as small: entry i j of the result is looked at as a
///               share of sqrt(scale_i scale_j)
/// @throws NumericalError  more directions than fit into memory would be needed
Eigen::MatrixXcd local_response(ShiftedFactor& factor,
                                const Eigen::MatrixXd& B,
                                const Eigen::VectorXd& scale,
                                double w2,
                                std::complex<double> s);

}  // namespace femflex::modal
