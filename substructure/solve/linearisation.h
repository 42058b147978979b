// Computes the eigenvalues and eigenvectors of a dense matrix polynomial.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace femflex::substructure {

/// Finite eigenvalues of a dense matrix polynomial A_0 + A_1 p + ... + A_d p^d.
struct PolynomialEigenvalues {
  Eigen::VectorXcd values;    ///< the non-zero eigenvalues first, then the exact zeros
  Eigen::MatrixXcd vectors;   ///< right eigenvectors, columns of length 1
  Eigen::Index infinite = 0;  ///< number of infinite eigenvalues, which are not in `values`
  Eigen::Index zero = 0;      ///< number of exact zeros, at the end of `values`
};

/// Solves the companion linearisation A z = p B z. Infinite and zero eigenvalues are found by rank
/// decisions and deflated first, with their Jordan chains; the rest is an ordinary eigenvalue
/// problem. See docs/theory/substructures.md eq. (9), (10).
/// @throws NumericalError  the polynomial is singular for every p
PolynomialEigenvalues polynomial_eigenvalues(std::vector<Eigen::MatrixXd> coefficients);

}  // namespace femflex::substructure
