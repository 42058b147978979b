// The stiffness in the directions that constraints leave free, scaled so that small values can be
// distinguished from round-off. Statics, linearisation and assembly use it. G is the Jacobian of
// the constraints, K the stiffness of all coordinates.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Units of the velocity coordinates for decisions on ranks and stiffnesses.
Eigen::VectorXd units_of(const Model& model);

/// G with columns scaled by `units` and rows of length 1, for decisions on its rank.
Eigen::MatrixXd scaled_rows(const Eigen::MatrixXd& G, const Eigen::VectorXd& units);

/// Rows of scaled_rows() are dependent if a pivot, relative to the largest one, is below this. Axes
/// and places that were written with nine digits are parallel and in line only so far.
inline constexpr double kRankTolerance = 1e-8;

/// How many rows of scaled_rows() are independent.
Eigen::Index rank_of(const Eigen::MatrixXd& rows, double tolerance = kRankTolerance);

/// scaled_rows() without the dependent ones.
Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& rows);

/// Indices of the redundant rows of scaled_rows().
std::vector<Eigen::Index> dependent_rows(const Eigen::MatrixXd& rows);

/// Stiffness on the motions that G leaves free: S = (diag(units) B)' K (diag(units) B).
///
/// One matrix may contain springs of 1e-6 N/m, bodies of a few grams and modes of 1e6 rad/s, so
/// entries cannot be compared with the largest one. Therefore the units of coordinates do not
/// depend on the scale of modes. B expresses soft coordinates as functions of stiff ones, so that
/// stiffnesses of very different size are not added. Each direction is scaled to S_ii = 1. See
/// docs/theory/multibody.md eq. (33).
struct FreeStiffness {
  Eigen::VectorXd units;  ///< unit of each velocity coordinate
  Eigen::MatrixXd B;      ///< columns: free directions, in coordinates divided by their units
  /// diagonal entries are 1, or below no_stiffness() in a direction without stiffness
  Eigen::MatrixXd S;
  double noise = 1.0;  ///< Model::distance_noise()
  /// An eigenvalue of S below this is round-off of force differences.
  double no_stiffness() const { return 1e-9 * noise; }
};
/// @param held  further directions without motion, in coordinates divided by their units, of length
///              about 1
FreeStiffness free_stiffness(const Model& model,
                             const Eigen::MatrixXd& G,
                             const Eigen::MatrixXd& K,
                             const Eigen::MatrixXd& held = {});

/// Directions along which no motion causes a load, and motions that cause no load: bases of the
/// null spaces of S' and S. They differ if S is not symmetric. Example: on a road whose height
/// changes along x, a wheel that moves along x is pushed upwards, but no motion pushes it along x.
struct Unresisted {
  Eigen::MatrixXd directions, motions;
};
/// Whether S differs from its transpose by more than the round-off of differences.
/// @param noise  as FreeStiffness::noise
bool is_one_sided(const Eigen::MatrixXd& S, double noise);
/// @param S  stiffness as in FreeStiffness::S
/// @param sizes  lengths of the directions, in units_of(). S is scaled to directions of equal
/// length, so that round-off of one is not taken for stiffness of another
/// @param noise  as FreeStiffness::noise
Unresisted unresisted(const Eigen::MatrixXd& S, const Eigen::VectorXd& sizes, double noise);

}  // namespace femflex::mbd_solver
