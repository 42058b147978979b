// The angle phi from a line u to a line v [rad], and its derivatives with respect to the six
// components of u and v. Used by hinges and rotational springs. See docs/theory/hamiltonian.md eq.
// (10), (11) and docs/theory/multibody.md eq. (18).
// Where a line has no length, or the lines are opposite in space, gradient and Hessian are zero. At
// the angle 0 in space the gradient is zero and the Hessian has its limit.
#pragma once

#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace femflex::laws {

using HingeGradient = Eigen::Matrix<double, 6, 1>;  ///< with respect to u, then v [rad/m]
using HingeHessian = Eigen::Matrix<double, 6, 6>;   ///< with respect to u, then v [J/m^2]

/// Below this angle [rad] the Hessian in space takes the second derivative of the angle from the
/// series of a moment that is linear in the angle; the first derivative stays exact. The relative
/// error of phi^2 = 1e-8 is as large as the cancellation error of the exact formula.
inline constexpr double kStraightAngle = 1e-4;

/// `angle` plus a whole number of turns, such that it differs from `last` by at most half a turn
/// [rad].
inline double nearest_turn(double angle, double last) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return angle + kTurn * std::round((last - angle) / kTurn);
}

/// An axis with any direction.
struct UnitAxis {
  Eigen::Vector3d direction;  ///< unit vector

  double dot(const Eigen::Vector3d& x) const { return direction.dot(x); }
  Eigen::Vector3d cross(const Eigen::Vector3d& x) const { return direction.cross(x); }
  Eigen::Vector3d in_plane(const Eigen::Vector3d& x) const { return x - dot(x) * direction; }
};

/// The z axis. Same results as UnitAxis without products by zero and one.
struct ZAxis {
  double dot(const Eigen::Vector3d& x) const { return x.z(); }
  Eigen::Vector3d cross(const Eigen::Vector3d& x) const { return {-x.y(), x.x(), 0.0}; }
  Eigen::Vector3d in_plane(const Eigen::Vector3d& x) const { return {x.x(), x.y(), 0.0}; }
};

/// Angle about an axis, between the projections of u and v on the plane perpendicular to the axis;
/// -pi to pi.
template <typename Axis>
struct AngleAbout {
  Axis axis;

  double angle(const Eigen::Vector3d& u, const Eigen::Vector3d& v) const {
    return std::atan2(axis.dot(u.cross(v)), axis.in_plane(u).dot(v));
  }
  HingeGradient gradient(const Eigen::Vector3d& u, const Eigen::Vector3d& v) const {
    HingeGradient g = HingeGradient::Zero();
    const Eigen::Vector3d projection_u = axis.in_plane(u);
    const Eigen::Vector3d projection_v = axis.in_plane(v);
    const double u2 = projection_u.squaredNorm();
    const double v2 = projection_v.squaredNorm();
    if (u2 == 0.0 || v2 == 0.0) return g;
    g.head<3>() = -axis.cross(projection_u) / u2;
    g.tail<3>() = axis.cross(projection_v) / v2;
    return g;
  }
  /// Second derivatives of an energy W(phi) with respect to the components of u and v.
  /// @param moment     dW/dphi [N m]
  /// @param stiffness  d2W/dphi2 [N m/rad]
  HingeHessian hessian(const Eigen::Vector3d& u,
                       const Eigen::Vector3d& v,
                       double moment,
                       double stiffness) const;
};
using AngleAboutAxis = AngleAbout<UnitAxis>;
using AngleAboutZ = AngleAbout<ZAxis>;
extern template struct AngleAbout<UnitAxis>;
extern template struct AngleAbout<ZAxis>;

/// Angle between two lines in space without an axis; 0 to pi.
struct AngleInSpace {
  double angle(const Eigen::Vector3d& u, const Eigen::Vector3d& v) const {
    return std::atan2(u.cross(v).norm(), u.dot(v));
  }
  HingeGradient gradient(const Eigen::Vector3d& u, const Eigen::Vector3d& v) const {
    HingeGradient g = HingeGradient::Zero();
    const Eigen::Vector3d normal = u.cross(v);
    const double sine = normal.norm();  // sine of the angle times |u| |v|
    if (sine == 0.0) return g;
    g.head<3>() = -normal.cross(u) / (sine * u.squaredNorm());
    g.tail<3>() = normal.cross(v) / (sine * v.squaredNorm());
    return g;
  }
  /// See AngleAbout::hessian().
  HingeHessian hessian(const Eigen::Vector3d& u,
                       const Eigen::Vector3d& v,
                       double moment,
                       double stiffness) const;
};

}  // namespace femflex::laws
