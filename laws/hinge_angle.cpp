// Computes the second derivatives (Hessian) of an energy W(phi) with respect to the components of
// two lines u and v, where phi is the angle between them: about an axis, or in space. The moment is
// W' = dW/dphi, the stiffness is W'' = d2W/dphi2.
#include "femflex/laws/hinge_angle.h"

namespace femflex::laws {

using Eigen::Matrix3d;
using Eigen::Vector3d;

template <typename Axis>
HingeHessian AngleAbout<Axis>::hessian(const Vector3d& u,
                                       const Vector3d& v,
                                       double moment,
                                       double stiffness) const {
  const HingeGradient g = gradient(u, v);
  if (g.isZero(0.0)) return HingeHessian::Zero();
  HingeHessian h = stiffness * g * g.transpose();
  // second derivative of the direction angle of a line, with reversed sign
  const auto second_derivative = [&](const Vector3d& line) -> Matrix3d {
    const Vector3d projection = axis.in_plane(line);
    const Vector3d normal = axis.cross(projection);
    const double square = projection.squaredNorm();
    return (normal * projection.transpose() + projection * normal.transpose()) / (square * square);
  };
  h.template topLeftCorner<3, 3>() += moment * second_derivative(u);
  h.template bottomRightCorner<3, 3>() -= moment * second_derivative(v);
  return h;
}

template struct AngleAbout<UnitAxis>;
template struct AngleAbout<ZAxis>;

// Uses derivatives with respect to c = cos phi. At phi = 0 (parallel lines), phi itself is not
// differentiable with respect to u and v, but c is.
//   dW/dc = -W' / sin phi,   d2W/dc2 = (W'' - W' cos phi / sin phi) / sin^2 phi
// For W' = W'' phi, both have limits at phi = 0: -W'' and W'' / 3.
HingeHessian AngleInSpace::hessian(const Vector3d& u,
                                   const Vector3d& v,
                                   double moment,
                                   double stiffness) const {
  HingeHessian h = HingeHessian::Zero();
  const double lu = u.norm();
  const double lv = v.norm();
  if (lu == 0.0 || lv == 0.0) return h;
  const Vector3d a = u / lu;
  const Vector3d b = v / lv;
  const double c = a.dot(b);
  // lines that are exactly opposite turn away in every direction: no derivative, as in gradient()
  if (c < 0.0 && u.cross(v).isZero(0.0)) return h;
  const double phi = angle(u, v);
  const double sine = std::sin(phi);
  double first = phi > 0.0 ? -moment / sine : -stiffness;  // dW/dc
  double second = stiffness / 3.0;                         // d2W/dc2, here its limit at phi = 0
  if (phi > kStraightAngle) second = (stiffness - moment * std::cos(phi) / sine) / (sine * sine);
  if (!std::isfinite(first)) first = 0.0;
  HingeGradient gc;  // gradient of c
  gc << (b - c * a) / lu, (a - c * b) / lv;
  const Matrix3d identity = Matrix3d::Identity();
  const Matrix3d mixed = a * b.transpose() + b * a.transpose();
  h.topLeftCorner<3, 3>() = -(mixed + c * (identity - 3.0 * a * a.transpose())) / (lu * lu);
  h.bottomRightCorner<3, 3>() = -(mixed + c * (identity - 3.0 * b * b.transpose())) / (lv * lv);
  h.topRightCorner<3, 3>() =
      (identity - a * a.transpose()) * (identity - b * b.transpose()) / (lu * lv);
  h.bottomLeftCorner<3, 3>() = h.topRightCorner<3, 3>().transpose();
  return first * h + second * gc * gc.transpose();
}

}  // namespace femflex::laws
