// RoundOff: tests whether K resists a motion, or whether the force K x is only round-off of the
// entries of K.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Tells whether K resists a motion, or whether the force K x is only the round-off of the entries
/// of K. Each entry k_ij is known to a few last digits of sqrt(k_ii k_jj), as are the sums of
/// element matrices that it comes from.  docs/theory/modal.md eq. (27).
class RoundOff {
 public:
  /// @param lower  K by its lower triangle; must outlive this
  explicit RoundOff(const SparseMatrix& lower);

  /// How much K resists each column x of X, relative to the forces of single entries of K.
  struct Resistance {
    Eigen::VectorXd energy;     ///< |x' K x| / sum |x_i| sqrt(k_ii k_jj) |x_j|
    Eigen::VectorXd max_force;  ///< largest |K x|_i / (sqrt(k_ii) max_j sqrt(k_jj) |x_j|)
    /// nine in ten of the quotients of max_force, one per unknown i, are below this
    Eigen::VectorXd ninth_decile;
  };
  Resistance resistance(const Eigen::MatrixXd& X) const;

  /// Columns that K does not resist. Their energy is round-off, and so is every force: none exceeds
  /// the others by far, as the force of a soft support would.
  /// @param doubt  factor on the accepted round-off: energies above it may be bending of a slender
  /// part
  std::vector<Eigen::Index> zero_energy_columns(const Resistance& felt, double doubt = 1.0) const;
  /// `doubt` for rigid motions, which are not affected by slenderness: warped shells, stiff
  /// constraints and short elements leave energies of 1e-14.
  static constexpr double kRigid = 15.0;

  /// Forces of single entries of K under X, row by row: sum_j sqrt(k_ii k_jj) |x_j|.
  Eigen::MatrixXd largest_forces(const Eigen::MatrixXd& X) const;

  /// Relative precision of the entries: 2e-15, or one unit of the last digit for a K written with 7
  /// to 13 digits or in single precision.
  double precision() const { return precision_; }

 private:
  const SparseMatrix& K_;
  Eigen::VectorXd root_;  // sqrt(k_ii)
  SparseMatrix scale_;    // sqrt(k_ii k_jj) in the pattern of K
  double precision_ = 0.0;
};

}  // namespace femflex::modal
