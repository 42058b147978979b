#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// What the last digits of K hide: whether K resists a motion, or whether what it seems to answer
/// is round-off of its own entries. Each entry k_ij is known to a few last digits of sqrt(k_ii
/// k_jj), as the sums of element matrices are that it comes from.  docs/theory/modal.md eq. (27).
class RoundOff {
 public:
  /// @param lower  K by its lower triangle; must outlive this
  explicit RoundOff(const SparseMatrix& lower);

  /// How much K resists each column x of X, as shares of what single entries of K would answer.
  struct Resistance {
    Eigen::VectorXd energy;  ///< |x' K x| over sum |x_i| sqrt(k_ii k_jj) |x_j|
    Eigen::VectorXd worst;   ///< largest of |K x|_i over sqrt(k_ii) max_j sqrt(k_jj) |x_j|
    Eigen::VectorXd usual;   ///< what nine of ten of these stay below
  };
  Resistance resistance(const Eigen::MatrixXd& X) const;

  /// Columns that K does not resist: their energy is round-off, and so is every force, none
  /// standing out as that of a soft support would.
  /// @param doubt  how many times the usual round-off may be met: beyond it a slender part may bend
  std::vector<Eigen::Index> unresisted(const Resistance& felt, double doubt = 1.0) const;
  /// Rigid motions, which no slenderness makes soft, are given the benefit of that doubt: shells on
  /// knots, stiff constraints and short elements leave 1e-14.
  static constexpr double kRigid = 15.0;

  /// What single entries of K would answer to X, row by row: sum_j sqrt(k_ii k_jj) |x_j|.
  Eigen::MatrixXd largest_forces(const Eigen::MatrixXd& X) const;

  /// Relative precision of the entries: 2e-15, or one in the last digit of a K that was written
  /// with 7 to 13 of them or in single precision.
  double precision() const { return precision_; }

 private:
  const SparseMatrix& K_;
  Eigen::VectorXd root_;  // sqrt(k_ii)
  SparseMatrix scale_;    // sqrt(k_ii k_jj) in the pattern of K
  double precision_ = 0.0;
};

}  // namespace femflex::modal
