// Writes the inertia invariants of a body as linear functions of its nodal masses: the equations
// that mass_fit.h solves.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// The invariants as linear functions of nodal masses, all relative to the mass m, the radius of
/// gyration r and sqrt(m_jj / m) of each mode, and about the centre of mass. The unknowns are x_i =
/// m_i / m of every node, then z_u = J_u / (m r^2) of chosen rotary inertias:
///
///   rigid    sum x (1; c; |c|^2 1 - c c') + diag(z)                     invariants 1, 2, 7
///   linear   sum x phi;  sum x c phi';  sum x c~ phi + z psi            3, 8, 4
///   squares  sum x phi_j phi_k'                                         5, 9
///            sum z psi_j psi_k                                          rotary part of 6
///
/// A mode has 15 linear functions and each pair of modes 10 squares, too many to store for a body
/// with many modes. The inner product of the columns of two nodes needs no squares, because their
/// part is (phi_i . phi_l)^2. Pivoted Cholesky decomposition of these products gives the columns in
/// an orthonormal basis of few rows (Higham 2002, section 10.3).
class MassFeatures {
 public:
  /// A rotary inertia: node, and axis 0 to 2.
  struct Rotary {
    Eigen::Index node;
    int axis;
  };

  /// @param body    body whose invariants are to be matched, with shapes and positions
  /// @param rotary  rotary inertias that may be chosen
  MassFeatures(const FlexBody& body, std::vector<Rotary> rotary);

  Eigen::Index size() const { return nodes_ + static_cast<Eigen::Index>(rotary_.size()); }
  Eigen::Index node_count() const { return nodes_; }
  const std::vector<Rotary>& rotary() const { return rotary_; }

  /// Rigid rows (10 x size) and their target (10).
  const Eigen::MatrixXd& rigid() const { return rigid_; }
  const Eigen::VectorXd& rigid_target() const { return rigid_target_; }

  /// The equations for the linear functions and squares, in an orthonormal basis: rows x = target.
  struct Compressed {
    Eigen::MatrixXd rows;    ///< (rank x size)
    Eigen::VectorXd target;  ///< (rank)
  };
  /// @param max_rows  limit of the rank; further rows are left out
  Compressed compress(Eigen::Index max_rows) const;

 private:
  /// Inner products of column `u` with all columns.
  Eigen::VectorXd products_with(Eigen::Index u) const;
  /// Inner product of every column with itself.
  Eigen::VectorXd squared_norms() const;
  /// Inner product of column `u` with the target.
  double target_product(Eigen::Index u) const;
  /// Column of the unknown `u` in invariant 4, ordered as `rotation_`.
  Eigen::Matrix3Xd rotation_column(Eigen::Index u) const;

  Eigen::Index nodes_ = 0;
  Eigen::Index modes_ = 0;
  std::vector<Rotary> rotary_;
  Eigen::Matrix3Xd c_;                  // positions
  std::array<Eigen::MatrixXd, 3> phi_;  // (nodes x n) by component
  Eigen::MatrixXd psi_;                 // (rotary x n)
  Eigen::MatrixXd rigid_;
  Eigen::VectorXd rigid_target_;
  // false if invariant 9 is all zero (partial coupling): then the squares are left out
  bool has_squares_ = false;
  // target values of the invariants
  Eigen::Matrix3Xd translation_;    // invariant 3
  Eigen::Matrix3Xd rotation_;       // invariant 4
  Eigen::Matrix3Xd moment_;         // sum x c phi_j', block j
  Eigen::MatrixXd squares_;         // (3n x 3n), row a n + j, column b n + k
  Eigen::MatrixXd rotary_squares_;  // (n x n)
};

}  // namespace femflex::flexfile
