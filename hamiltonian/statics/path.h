// Path: follows equilibria under growing load arc by arc, past limit points and bifurcations.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/lattice_statics.h"

#include "statics/balance.h"

namespace femflex::hamiltonian {

/// A point of the path with the direction in which it continues.
struct PathPoint {
  Eigen::VectorXd q;        // positions [m]
  double lambda = 0.0;      // load factor
  Eigen::VectorXd q_dir;    // part q of the unit tangent of the path in (q, psi lambda)
  double lambda_dir = 1.0;  // part psi lambda of that tangent
  int negative = 0;         // number of negative eigenvalues of the tangent stiffness
  int iterations = 0;       // number of Newton iterations that found the point
  bool good = false;        // true if the point is in balance; if false, ignore the other members
};

/// A point at which the tangent stiffness is singular.
struct CriticalPathPoint {
  PathPoint point;
  bool is_limit_point = false;
  int before = 0, after = 0;  // number of negative eigenvalues before and after the point
};

/// Result of Path::follow_arc(): an arc of the path that is known to be smooth, with the critical
/// points on it.
struct SmoothArc {
  bool good = false;  // true if the path could be followed; if false, ignore the other members
  PathPoint to;       // end of the arc
  double arc = 0.0;   // length of the arc
  std::vector<CriticalPathPoint> critical;  // in the order of the path
  bool breaks = false;                      // true: a spring exceeds its limit at `to`
};

/// The equilibrium path under growing load. docs/theory/hamiltonian.md eq. (16)
class Path {
 public:
  Path(const LatticeSystem& system,
       const State& start,
       const BranchOptions& options,
       Progress& progress);

  const Balance& balance() const { return balance_; }
  State state(const PathPoint& point) const { return balance_.state(point.q); }

  /// Equilibrium without load, and the first direction of the path.
  PathPoint origin();
  /// Follows the path from `from` as far as it is known to be smooth, at most one arc. The arc
  /// length depends on how much the springs turn and stretch, and on how the path bends.
  SmoothArc follow_arc(const PathPoint& from);
  /// Breaks the springs loaded beyond their limits and finds the next equilibrium under the same
  /// load.
  /// @return false if nothing holds the structure any longer
  bool break_and_balance(PathPoint& point);
  /// The eigenvector of the eigenvalue nearest to zero, scaled to a largest entry of 1.
  Eigen::VectorXd weakest_shape(const PathPoint& point);

 private:
  /// The point that is one arc further, in the plane normal to the direction at `from`.
  PathPoint advance(const PathPoint& from, double arc);
  /// Whether `to` is on the same branch (equilibrium path) and nothing was skipped. This holds if
  /// the point is where the tangent predicted it, the path has hardly turned, and a curve through
  /// both ends is in balance halfway.
  bool is_smooth(const PathPoint& from, const PathPoint& to, double arc);
  bool is_small(const PathPoint& from, double arc) const;
  double longest_arc(const PathPoint& from) const;
  double next_arc(const PathPoint& from, const PathPoint& to, double arc) const;
  /// Change of the springs by a displacement, the largest of all rotations and stretches.
  double change(const Eigen::VectorXd& q, const Eigen::VectorXd& dq) const;
  double length(const Eigen::VectorXd& dq, double d_lambda) const;
  double bend(const PathPoint& from, const PathPoint& to) const;
  bool factor_near(const Eigen::VectorXd& q);
  void set_direction(PathPoint& point, const Eigen::VectorXd& a, const PathPoint* from) const;
  /// Magnitude of the eigenvalue of the tangent nearest to zero.
  double nearest_to_zero(const PathPoint& point);

  void locate_break(const PathPoint& from, SmoothArc& smooth);
  void locate_critical(const PathPoint& from, SmoothArc& smooth);
  CriticalPathPoint first_critical(
      const PathPoint& from, double low, double high, int before, double& past);

  Balance balance_;
  const BranchOptions& options_;
  Progress& progress_;
  double psi_ = 1.0;
  double first_ = 0.0;  // length of the first arc
  double arc_ = 0.0;    // length of the next arc
  int halvings_ = 0;    // number of halvings because an arc contains several critical points
  Eigen::VectorXd shape_;
};

}  // namespace femflex::hamiltonian
