#pragma once

#include <vector>

#include <Eigen/Core>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Of the motions that constraints leave free, what counts as one of each velocity coordinate.
Eigen::VectorXd units_of(const Model& model);

/// G with the units of `units` and rows of length 1: ready for decisions on its rank.
Eigen::MatrixXd scaled_rows(const Eigen::MatrixXd& G, const Eigen::VectorXd& units);

/// How many rows of scaled_rows() are independent.
Eigen::Index rank_of(const Eigen::MatrixXd& rows);

/// Rows of scaled_rows() that repeat others, by number.
std::vector<Eigen::Index> dependent_rows(const Eigen::MatrixXd& rows);

/// Stiffness on the motions that G leaves free: S = (diag(units) B)' K (diag(units) B).
///
/// Springs of 1e-6 N/m, joints of bodies of grams and modes of a million rad/s share one matrix.
/// Nothing may be judged against its largest number: coordinates are measured in units that do not
/// depend on the scale of modes; B takes coordinates of one sort each, stiff ones before soft ones,
/// so that stiffnesses are not added that differ by more than round-off; and each direction is
/// scaled to S_ii = 1. See docs/theory/multibody.md eq. (33).
struct FreeStiffness {
  Eigen::VectorXd units;  ///< of velocity coordinates
  Eigen::MatrixXd B;      ///< (coordinates over units) x free directions
  Eigen::MatrixXd S;      ///< 1 on the diagonal, below kNoStiffness where a direction has none
  /// An eigenvalue of S that is less is round-off of differences of forces.
  static constexpr double kNoStiffness = 1e-9;
};
FreeStiffness free_stiffness(const Model& model,
                             const Eigen::MatrixXd& G,
                             const Eigen::MatrixXd& K);

}  // namespace femflex::mbd_solver
