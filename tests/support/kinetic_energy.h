// Inertia forces of a flexible body by differentiation of its kinetic energy. This checks the
// equations of the solver and shares no code with them.
#pragma once

#include <complex>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/flex_body.h"

namespace femflex::testing {

/// Position and velocity of a flexible body in its own frame.
template <typename Scalar>
struct BodyMotion {
  using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  Vector3 v, w;     // velocity of the frame origin [m/s], angular velocity [rad/s]
  Vector q, q_dot;  // modal coordinates

  /// This motion plus step * rate. A complex step gives derivatives without cancellation.
  template <typename Step>
  BodyMotion<std::complex<double>> moved(Step step, const BodyMotion<double>& rate) const {
    return {v + step * rate.v, w + step * rate.w, q + step * rate.q, q_dot + step * rate.q_dot};
  }
};

/// Kinetic energy of a body from its nine invariants and its geometric stiffness, computed only
/// from docs/theory/multibody.md eq. (6) and (10). No symmetry of the invariants 5, 8 or 9 is used.
template <typename Scalar>
Scalar kinetic_energy(const FlexBody& body, const BodyMotion<Scalar>& s) {
  using Cause = GeometricStiffness::Cause;
  using Vector3 = typename BodyMotion<Scalar>::Vector3;
  using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;
  const InertiaInvariants& I = body.invariants;
  const Eigen::Index n = body.mode_count();
  const auto cross = [](const Vector3& a, const Vector3& b) {
    return Vector3(a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0));
  };
  const auto dot = [](const auto& a, const auto& b) { return (a.array() * b.array()).sum(); };
  Vector3 first = I.first_moment.cast<Scalar>() + I.translation.cast<Scalar>() * s.q;
  Vector3 linear = I.translation.cast<Scalar>() * s.q_dot;  // modal part of linear and angular
                                                            // momentum
  Vector3 angular = I.rotation.cast<Scalar>() * s.q_dot;
  Matrix3 J = I.inertia.cast<Scalar>();
  for (Eigen::Index j = 0; j < n; ++j) {
    const Eigen::Matrix3d eight = I.inertia_rate.middleCols<3>(3 * j);
    J -= s.q(j) * (eight + eight.transpose()).cast<Scalar>();
    angular += s.q(j) * (I.translation_rate.middleCols(n * j, n).cast<Scalar>() * s.q_dot);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Matrix3d nine = I.inertia_curvature.block<3, 3>(3 * j, 3 * k);
      J -= s.q(j) * s.q(k) * (0.5 * (nine + nine.transpose())).cast<Scalar>();
    }
  }
  for (const GeometricStiffness& g : body.geometric) {
    constexpr int row[6] = {0, 1, 2, 0, 1, 0}, col[6] = {0, 1, 2, 1, 2, 2};
    const typename BodyMotion<Scalar>::Vector bent = g.stiffness.cast<Scalar>() * s.q;
    const int cause = static_cast<int>(g.cause);
    if (cause < static_cast<int>(Cause::angular_acceleration_x)) {
      first(cause) += 0.5 * dot(s.q, bent);
      linear(cause) += dot(s.q_dot, bent);
    } else if (cause < static_cast<int>(Cause::spin_xx)) {
      angular(cause - 3) += dot(s.q_dot, bent);
    } else if (g.cause != Cause::force) {
      const int c = cause - static_cast<int>(Cause::spin_xx);
      J(row[c], col[c]) -= (c < 3 ? 1.0 : 0.5) * dot(s.q, bent);
      if (c >= 3) J(col[c], row[c]) -= 0.5 * dot(s.q, bent);
    }
  }
  const typename BodyMotion<Scalar>::Vector Jw = J * s.w;
  const typename BodyMotion<Scalar>::Vector m_q_dot = body.mass.cast<Scalar>() * s.q_dot;
  return 0.5 * I.mass * dot(s.v, s.v) + dot(s.v, cross(s.w, first)) + dot(s.v, linear) +
         0.5 * dot(s.w, Jw) + dot(s.w, angular) + 0.5 * dot(s.q_dot, m_q_dot);
}

/// dT/d(velocity) or dT/d(position) for v, w and the modes, by complex steps (exact to rounding
/// errors). For v and w there is no position.
inline Eigen::VectorXd slope_of_kinetic_energy(const FlexBody& body,
                                               const BodyMotion<double>& s,
                                               bool of_position) {
  const Eigen::Index n = body.mode_count();
  const std::complex<double> step(0.0, 1e-30);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(6 + n);
  for (Eigen::Index i = of_position ? 6 : 0; i < 6 + n; ++i) {
    BodyMotion<double> unit{Eigen::Vector3d::Zero(),
                            Eigen::Vector3d::Zero(),
                            Eigen::VectorXd::Zero(n),
                            Eigen::VectorXd::Zero(n)};
    if (i < 3) unit.v(i) = 1.0;
    if (i >= 3 && i < 6) unit.w(i - 3) = 1.0;
    if (i >= 6) (of_position ? unit.q : unit.q_dot)(i - 6) = 1.0;
    out(i) = kinetic_energy(body, s.moved(step, unit)).imag() / step.imag();
  }
  return out;
}

/// Inertia forces of Lagrange's equations in quasi-coordinates, in the body frame, by
/// differentiation of T alone: p_v' + w x p_v, p_w' + w x p_w + v x p_v, p_q' - dT/dq.
/// @param rate  rate of change of the motion. T is quadratic in the velocities y, so (dT/dy)_i =
/// (T(y + e_i) - T(y - e_i)) / 2 is exact.
inline Eigen::VectorXd lagrange_inertia(const FlexBody& body,
                                        const BodyMotion<double>& s,
                                        const BodyMotion<double>& rate) {
  const Eigen::Index n = body.mode_count();
  const std::complex<double> step(0.0, 1e-30);
  Eigen::VectorXd out(6 + n);
  for (Eigen::Index i = 0; i < 6 + n; ++i) {
    std::complex<double> difference = 0.0;
    for (const double unit : {1.0, -1.0}) {
      BodyMotion<double> moved = s;
      if (i < 3) moved.v(i) += unit;
      if (i >= 3 && i < 6) moved.w(i - 3) += unit;
      if (i >= 6) moved.q_dot(i - 6) += unit;
      difference += 0.5 * unit * kinetic_energy(body, moved.moved(step, rate));
    }
    out(i) = difference.imag() / step.imag();
  }
  out -= slope_of_kinetic_energy(body, s, true);
  const Eigen::VectorXd p = slope_of_kinetic_energy(body, s, false);
  const Eigen::Vector3d p_v = p.head<3>(), p_w = p.segment<3>(3);
  out.head<3>() += s.w.cross(p_v);
  out.segment<3>(3) += s.w.cross(p_w) + s.v.cross(p_v);
  return out;
}

}  // namespace femflex::testing
