// Rotations in space: exponential and logarithm between rotation vectors theta, quaternions and
// matrices, and their tangents. theta~ is the cross-product matrix of theta. Attitudes in a state.
#pragma once

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/frames.h"

namespace femflex::mbd_solver {

// Squares of angles [rad^2]. For smaller ones, power series replace the closed forms, which lose
// digits by cancellation. kSeriesOfFour: series in the angle p with terms up to p^6; the next term
// is below 1e-17 for p = 0.05.
constexpr double kSeriesOfFour = 2.5e-3;
constexpr double kSmallAngle = 1e-4;   // [rad] with terms up to p^2; the next term is 1e-18
constexpr double kSeriesOfTwo = 1e-8;  // square of kSmallAngle
/// If the sine s of half an angle is below this, atan2(s, c) equals s.
constexpr double kTinyHalfAngle = 1e-10;

/// Coefficients of rotation series with p = |theta|: c1 = (1-cos)/p^2, c2 = (p-sin)/p^3. dc1 and
/// dc2 are their derivatives with respect to p, divided by p.
struct RotationSeries {
  double c1 = 0.5, c2 = 1.0 / 6.0, dc1 = -1.0 / 12.0, dc2 = -1.0 / 60.0;
  explicit RotationSeries(double squared) {
    if (squared < kSeriesOfFour) {
      const double s = squared;
      c1 = 0.5 - s / 24.0 + s * s / 720.0 - s * s * s / 40320.0;
      c2 = 1.0 / 6.0 - s / 120.0 + s * s / 5040.0 - s * s * s / 362880.0;
      dc1 = -1.0 / 12.0 + s / 180.0 - s * s / 6720.0;
      dc2 = -1.0 / 60.0 + s / 1260.0 - s * s / 60480.0;
    } else {
      const double p = std::sqrt(squared);
      const double sine = std::sin(p);
      const double cosine = std::cos(p);
      c1 = (1.0 - cosine) / squared;
      c2 = (p - sine) / (p * squared);
      dc1 = (p * sine - 2.0 * (1.0 - cosine)) / (squared * squared);
      dc2 = (p * (1.0 - cosine) - 3.0 * (p - sine)) / (squared * squared * p);
    }
  }
};

/// Unit quaternion of the rotation vector theta.
inline Eigen::Quaterniond exp_quaternion(const Eigen::Vector3d& theta) {
  const double squared = theta.squaredNorm();
  const double half = 0.5 * std::sqrt(squared);
  const double factor =
      squared < kSeriesOfTwo ? 0.5 - squared / 48.0 : std::sin(half) / (2.0 * half);
  Eigen::Quaterniond q;
  q.w() = squared < kSeriesOfTwo ? 1.0 - squared / 8.0 : std::cos(half);
  q.vec() = factor * theta;
  return q;
}

/// exp(theta~) by Rodrigues' formula.
inline Eigen::Matrix3d exp_rotation(const Eigen::Vector3d& theta) {
  const RotationSeries s(theta.squaredNorm());
  const double p = theta.norm();
  const double c0 = p < kSmallAngle ? 1.0 - p * p / 6.0 : std::sin(p) / p;
  const Eigen::Matrix3d tilde = cross_matrix(theta);
  return Eigen::Matrix3d::Identity() + c0 * tilde + s.c1 * tilde * tilde;
}

/// Rotation vector of a unit quaternion, |theta| <= pi.
inline Eigen::Vector3d log_quaternion(Eigen::Quaterniond q) {
  if (q.w() < 0.0) q.coeffs() *= -1.0;
  const double sine = q.vec().norm();
  if (sine < kTinyHalfAngle) return 2.0 * q.vec();
  return (2.0 * std::atan2(sine, q.w()) / sine) * q.vec();
}

/// Rotation vector of a rotation matrix, |theta| <= pi.
inline Eigen::Vector3d log_rotation(const Eigen::Matrix3d& R) {
  return log_quaternion(Eigen::Quaterniond(R));
}

/// Attitude R_WB of a body, and its change. `q` are the body's coordinates in State::position:
/// three of its place, then w, x, y, z of the unit quaternion.
inline Eigen::Quaterniond attitude(const double* q) {
  return {q[3], q[4], q[5], q[6]};
}
inline void set_attitude(const Eigen::Quaterniond& to, double* q) {
  q[3] = to.w();
  q[4] = to.x();
  q[5] = to.y();
  q[6] = to.z();
}

/// theta' for R = R0 exp(theta~), with w the angular velocity in the rotated frame: theta' = w +
/// 1/2 theta x w + c theta x (theta x w).
inline Eigen::Vector3d inverse_tangent(const Eigen::Vector3d& theta, const Eigen::Vector3d& w) {
  const double squared = theta.squaredNorm();
  double c = 1.0 / 12.0 + squared / 720.0 + squared * squared / 30240.0;
  if (squared > kSeriesOfFour) {
    const double half = 0.5 * std::sqrt(squared);
    c = (1.0 - half / std::tan(half)) / squared;
  }
  const Eigen::Vector3d first = theta.cross(w);
  return w + 0.5 * first + c * theta.cross(first);
}

}  // namespace femflex::mbd_solver
