#pragma once

#include <cmath>

#include <Eigen/Core>

#include "forces/angles.h"

namespace femflex::hamiltonian {

using HingeGradient = Eigen::Matrix<double, 6, 1>;  // with respect to u, then v
using HingeHessian = Eigen::Matrix<double, 6, 6>;

/// Gradient of the angle from u to v. eq. (10), (11).
inline HingeGradient angle_gradient(const Eigen::Vector3d& u,
                                    const Eigen::Vector3d& v,
                                    int dimension) {
  HingeGradient g = HingeGradient::Zero();
  const double u2 = u.squaredNorm();
  const double v2 = v.squaredNorm();
  if (u2 == 0.0 || v2 == 0.0) return g;
  if (dimension == 2) {
    g.head<3>() = Eigen::Vector3d(u.y(), -u.x(), 0.0) / u2;
    g.tail<3>() = Eigen::Vector3d(-v.y(), v.x(), 0.0) / v2;
    return g;
  }
  const Eigen::Vector3d normal = u.cross(v);
  const double sine = normal.norm();
  if (sine == 0.0) return g;  // straight: no plane to turn in, and no moment where phi_ref = 0
  g.head<3>() = -normal.cross(u) / (sine * u2);
  g.tail<3>() = normal.cross(v) / (sine * v2);
  return g;
}

/// Second derivative of  W(phi)  in u and v, from moment = dW/dphi and stiffness = d2W/dphi2.
inline HingeHessian hinge_hessian(const Eigen::Vector3d& u,
                                  const Eigen::Vector3d& v,
                                  int dimension,
                                  double moment,
                                  double stiffness) {
  if (dimension == 2) {
    const HingeGradient g = angle_gradient(u, v, 2);
    HingeHessian h = stiffness * g * g.transpose();
    const auto add = [&](int at, const Eigen::Vector3d& w, double factor) {
      const double w4 = w.squaredNorm() * w.squaredNorm();
      if (w4 == 0.0) return;
      const double diagonal = 2.0 * w.x() * w.y() / w4;
      const double off = (w.y() * w.y() - w.x() * w.x()) / w4;
      h(at, at) += factor * diagonal;
      h(at + 1, at + 1) -= factor * diagonal;
      h(at, at + 1) += factor * off;
      h(at + 1, at) += factor * off;
    };
    add(0, u, -moment);
    add(3, v, moment);
    return h;
  }
  // In space: with c = cos phi the energy is W(acos c), and c is smooth where phi is not.
  // dW/dc = -W'/sin;  d2W/dc2 = (W'' - W' cos/sin) / sin^2, both finite at phi = 0 where W' = k
  // phi.
  const double lu = u.norm();
  const double lv = v.norm();
  if (lu == 0.0 || lv == 0.0) return HingeHessian::Zero();
  const Eigen::Vector3d a = u / lu;
  const Eigen::Vector3d b = v / lv;
  const double c = a.dot(b);
  const double phi = principal_angle(u, v, 3);
  const double sine = std::sin(phi);
  double first = 0.0;
  double second = 0.0;
  if (phi > 1e-4) {
    first = -moment / sine;
    second = (stiffness - moment * std::cos(phi) / sine) / (sine * sine);
  } else {  // series about a straight line, for W' = stiffness * phi
    first = phi > 0.0 ? -moment / sine : -stiffness;
    second = stiffness / 3.0;
  }
  HingeGradient gc;
  gc.head<3>() = (b - c * a) / lu;
  gc.tail<3>() = (a - c * b) / lv;
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  HingeHessian hc;
  hc.block<3, 3>(0, 0) =
      -(a * b.transpose() + b * a.transpose() + c * (one - 3.0 * a * a.transpose())) / (lu * lu);
  hc.block<3, 3>(3, 3) =
      -(a * b.transpose() + b * a.transpose() + c * (one - 3.0 * b * b.transpose())) / (lv * lv);
  hc.block<3, 3>(0, 3) = (one - a * a.transpose()) * (one - b * b.transpose()) / (lu * lv);
  hc.block<3, 3>(3, 0) = hc.block<3, 3>(0, 3).transpose();
  return first * hc + second * gc * gc.transpose();
}

}  // namespace femflex::hamiltonian
