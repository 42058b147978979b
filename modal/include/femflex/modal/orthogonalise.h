// Diagonalises a reduced mass and stiffness matrix, and selects linearly independent shapes.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex::modal {

/// Coordinates in which a reduced component is diagonal: eta = V zeta.
struct OrthogonalBasis {
  /// (n_eta x n_zeta) columns of unit Euclidean length in ascending order of lambda; the largest
  /// entry of each is positive
  Eigen::MatrixXd V;
  Eigen::VectorXd lambda;  ///< (n_zeta) omega^2 [rad^2/s^2]; rigid-body values as computed
};

/// Diagonalises the pencil (k, m): k V = m V diag(lambda).  docs/theory/modal.md eq. (4).
///
/// Craig-Bampton columns are neither m- nor k-orthogonal; a solver that assumed a diagonal m would
/// silently lose the boundary-interior coupling block.
///
/// @throws ModelError      m or k is not square and symmetric, or their sizes differ
/// @throws NumericalError  m is not positive definite: columns of U are linearly dependent
OrthogonalBasis orthogonalise(const Eigen::MatrixXd& m, const Eigen::MatrixXd& k);

/// A column that is a combination of earlier ones.
struct DependentColumn {
  Eigen::Index column = 0;
  /// length of its independent part, relative to the length of the column
  double residual = 0.0;
  std::vector<Eigen::Index> repeats;  ///< the kept columns that it repeats
};

struct IndependentColumns {
  std::vector<Eigen::Index> kept;
  std::vector<DependentColumn> dependent;
};

/// Splits the columns of U, earlier columns first, into independent and dependent ones: a column is
/// dependent when less than `tolerance` of its length is left after projection on the kept ones.
IndependentColumns independent_columns(const Eigen::MatrixXd& U, double tolerance = 1e-9);

/// As independent_columns(), but in the mass norm. If shapes differ only by round-off, or by the
/// motion of massless DOFs, m = U' M U lacks the digits that eq. (4) needs. For columns without any
/// mass, `repeats` is empty.
IndependentColumns independent_in_mass(const Eigen::MatrixXd& m, double tolerance = 1e-6);

}  // namespace femflex::modal
