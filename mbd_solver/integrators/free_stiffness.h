// The stiffness in the directions that constraints leave free, scaled so that small values can be
// distinguished from round-off. G is the Jacobian of the constraints, K the stiffness of all
// coordinates.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// The unit in which each velocity coordinate is measured when ranks and stiffnesses are judged.
Eigen::VectorXd units_of(const Model& model);

/// G with columns in `units` and rows of length 1: ready for decisions on its rank.
Eigen::MatrixXd scaled_rows(const Eigen::MatrixXd& G, const Eigen::VectorXd& units);

/// How many rows of scaled_rows() are independent.
Eigen::Index rank_of(const Eigen::MatrixXd& rows);

/// Indices of the redundant rows of scaled_rows().
std::vector<Eigen::Index> dependent_rows(const Eigen::MatrixXd& rows);

/// Stiffness on the motions that G leaves free: S = (diag(units) B)' K (diag(units) B).
///
/// One matrix may hold springs of 1e-6 N/m, joints of bodies of a few grams and modes of 1e6 rad/s,
/// so no entry can be compared with the largest one. Therefore coordinates have units that do not
/// depend on the scale of modes; B takes stiff coordinates as independent and soft ones as
/// dependent, so that stiffnesses of very different size are not added; and each direction is
/// scaled to S_ii = 1. See docs/theory/multibody.md eq. (33).
struct FreeStiffness {
  Eigen::VectorXd units;  ///< unit of each velocity coordinate
  Eigen::MatrixXd B;      ///< columns: free directions, in coordinates divided by their units
  /// diagonal entries are 1, or below kNoStiffness in a direction without stiffness
  Eigen::MatrixXd S;
  /// An eigenvalue of S below this is round-off of force differences.
  static constexpr double kNoStiffness = 1e-9;
};
/// @param held  directions, in coordinates divided by their units, along which nothing moves either
FreeStiffness free_stiffness(const Model& model,
                             const Eigen::MatrixXd& G,
                             const Eigen::MatrixXd& K,
                             const Eigen::MatrixXd& held = {});

/// Directions that no motion loads, and motions that load no direction: bases of the null spaces of
/// S' and S. They differ where S is not symmetric, as on a road whose height changes along x: a
/// wheel that moves along x is pushed upwards, but nothing ever pushes it along x.
struct Unresisted {
  Eigen::MatrixXd directions, motions;
};
/// Whether S differs from its transpose by more than round-off of differences.
bool is_one_sided(const Eigen::MatrixXd& S);
/// @param S  stiffness on directions as FreeStiffness::S
/// @param sizes  lengths of these directions, in units_of(): for directions of equal length
///               round-off of one does not pass for the stiffness of another
Unresisted unresisted(const Eigen::MatrixXd& S, const Eigen::VectorXd& sizes);

}  // namespace femflex::mbd_solver
