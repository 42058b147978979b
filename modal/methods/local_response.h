// Computes the frequency response of a sparse model at one frequency, without its modes.
#pragma once

#include <complex>

#include <Eigen/Core>

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// B' (K - s M)^-1 B for a complex s near w^2. Factors the real matrix A = K - tau M with tau at
/// w^2 or near it, and projects K - s M on as many of the blocks A^-1 B, A^-1 M A^-1 B, ... as
/// needed. docs/theory/modal.md eq. (38).
/// @param scale  (columns of B) reference size: entry i j of the result is compared with
/// sqrt(scale_i scale_j) where both are positive; rows and columns of scale 0 are not judged
/// @throws NumericalError  K - tau M is singular at every tau tried, or more directions would be
/// needed than 4000, or than fit into memory
Eigen::MatrixXcd local_response(ShiftedFactor& factor,
                                const Eigen::MatrixXd& B,
                                const Eigen::VectorXd& scale,
                                double w2,
                                std::complex<double> s);

}  // namespace femflex::modal
