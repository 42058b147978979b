// Reduces a flexible body to the few shapes that represent its motion in given simulation runs.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::modal {

/// The few shapes that contain most of a motion.
struct MotionModes {
  /// the body in these shapes; absent if more than `moved` shapes were requested
  std::optional<FlexBody> body;
  /// share of the mean square acceleration (in the mass norm) that the kept shapes contain
  double kept_share = 0.0;
  Eigen::Index moved = 0;  ///< number of shapes in the motion
};

/// The shapes that a body needs for its motion in some runs: the combinations of its modes that
/// contain most of its elastic acceleration (proper orthogonal decomposition in the mass norm),
/// made diagonal in m and k and scaled to unit modal mass.
///
/// With snapshots a = zeta'' and m = L L', the kept columns are S = L^-T W, W the eigenvectors of
/// the largest eigenvalues of C = sum (L' a)(L' a)'. Loads that act together give a single shape,
/// whereas interface modes use one column for each DOF.
class MotionSnapshots {
 public:
  /// @throws ModelError  m is not positive definite
  explicit MotionSnapshots(const FlexBody& body);

  /// Adds one run: zeta'' [m/s^2 in modal coordinates] (n_zeta x rows) of each instance of this
  /// body. Runs have equal weight, whatever their length and size.
  void add_run(std::span<const Eigen::MatrixXd> accelerations);
  /// @param body   the body given to the constructor
  /// @param count  number of shapes to keep, 1 to n_zeta
  MotionModes modes(const FlexBody& body, Eigen::Index count) const;

 private:
  Eigen::MatrixXd upper_;  // L'
  Eigen::MatrixXd C_;      // sum over the runs, each divided by its trace; lower triangle
};

}  // namespace femflex::modal
