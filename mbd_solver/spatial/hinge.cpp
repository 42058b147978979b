// A spring between two lines that turn against each other. docs/theory/multibody.md eq. (18).
#include "spatial/hinge.h"

#include <cmath>

#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double kStraight = 1e-4;  // [rad] below: series about a straight line in space

Vector3d in_plane(const HingeLaw& f, const Vector3d& x) {
  return x - f.axis.dot(x) * f.axis;
}

/// (d phi / du, d phi / dv); zero where the angle has none: a line without length, or lines that
/// make no plane.
Vector6d gradient(const HingeLaw& f, const HingeLines& x) {
  Vector6d g = Vector6d::Zero();
  if (f.has_axis) {
    const Vector3d u = in_plane(f, x.u), v = in_plane(f, x.v);
    if (u.isZero(0.0) || v.isZero(0.0)) return g;
    g << -f.axis.cross(u) / u.squaredNorm(), f.axis.cross(v) / v.squaredNorm();
    return g;
  }
  const Vector3d normal = x.u.cross(x.v);
  const double sine = normal.norm();
  if (sine == 0.0) return g;
  g << -normal.cross(x.u) / (sine * x.u.squaredNorm()),
      normal.cross(x.v) / (sine * x.v.squaredNorm());
  return g;
}

/// moment * d2phi + stiffness * g g' with respect to (u, v).
Matrix6d hessian(const HingeLaw& f, const HingeLines& x, double moment, double stiffness) {
  Matrix6d h = Matrix6d::Zero();
  if (f.has_axis) {
    const Vector6d g = gradient(f, x);
    if (g.isZero(0.0)) return h;
    h = stiffness * g * g.transpose();
    const auto curved = [&](const Vector3d& line) -> Matrix3d {
      const Vector3d flat = in_plane(f, line);
      const Vector3d side = f.axis.cross(flat);
      const double square = flat.squaredNorm();
      return (side * flat.transpose() + flat * side.transpose()) / (square * square);
    };
    h.topLeftCorner<3, 3>() += moment * curved(x.u);
    h.bottomRightCorner<3, 3>() -= moment * curved(x.v);
    return h;
  }
  // in c = cos phi, which is smooth where phi is not: dV/dc = -V'/sin phi,
  // d2V/dc2 = (V'' - V' cos/sin) / sin^2
  const double lu = x.u.norm(), lv = x.v.norm();
  if (lu == 0.0 || lv == 0.0) return h;
  const Vector3d a = x.u / lu, b = x.v / lv;
  const double c = a.dot(b);
  const double phi = hinge_angle(f, x);
  const double sine = std::sin(phi);
  double first = phi > 0.0 ? -moment / sine : -stiffness;
  double second = stiffness / 3.0;
  if (phi > kStraight) second = (stiffness - moment * std::cos(phi) / sine) / (sine * sine);
  if (!std::isfinite(first)) first = 0.0;
  const Vector3d cu = (b - c * a) / lu, cv = (a - c * b) / lv;  // dc/du, dc/dv
  Vector6d g;
  g << cu, cv;
  const Matrix3d one = Matrix3d::Identity();
  const Matrix3d mixed = a * b.transpose() + b * a.transpose();
  h.topLeftCorner<3, 3>() = -(mixed + c * (one - 3.0 * a * a.transpose())) / (lu * lu);
  h.bottomRightCorner<3, 3>() = -(mixed + c * (one - 3.0 * b * b.transpose())) / (lv * lv);
  h.topRightCorner<3, 3>() = (one - a * a.transpose()) * (one - b * b.transpose()) / (lu * lv);
  h.bottomLeftCorner<3, 3>() = h.topRightCorner<3, 3>().transpose();
  return first * h + second * g * g.transpose();
}

struct Moment {
  double elastic = 0.0;  // of the stiffness alone
  double curved = 0.0;   // of table or formula
  double slope = 0.0;
};

Moment moment_of(const HingeLaw& f, double e) {
  Moment m;
  m.elastic = f.stiffness.number * e;
  m.slope = f.stiffness.number;
  if (f.curve) {
    m.curved += (*f.curve)(e);
    m.slope += f.curve->slope(e);
  }
  if (f.value.formula) {
    const laws::ValueAndDerivative moment = f.value.formula->derivative({&e, 1}, 0);
    m.curved += moment.value;
    m.slope += moment.derivative;
  }
  return m;
}

double counted_angle(const HingeLaw& f, const HingeLines& x, double last) {
  const double angle = hinge_angle(f, x);
  return f.has_axis ? nearest_turn(angle, last) : angle;
}

double rate_of(const Vector6d& g, const HingeLines& x) {
  return g.head<3>().dot(x.u_dot) + g.tail<3>().dot(x.v_dot);
}

}  // namespace

HingeLines lines_of(const HingeLaw& f, const std::vector<MarkerKinematics>& markers) {
  const auto at = [&](std::size_t k) -> const MarkerKinematics& {
    return markers[static_cast<std::size_t>(f.ends[k])];
  };
  return {at(1).p - at(0).p, at(3).p - at(2).p, at(1).v - at(0).v, at(3).v - at(2).v};
}

double hinge_angle(const HingeLaw& f, const HingeLines& x) {
  const Vector3d normal = x.u.cross(x.v);
  if (!f.has_axis) return std::atan2(normal.norm(), x.u.dot(x.v));
  return std::atan2(f.axis.dot(normal), in_plane(f, x.u).dot(x.v));
}

PairLoad hinge_load(const HingeLaw& f, const HingeLines& x, double last) {
  PairLoad load;
  load.length = counted_angle(f, x, last);
  const double e = load.length - f.length;
  const Vector6d g = gradient(f, x);
  const double rate = rate_of(g, x);
  const Moment m = moment_of(f, e);
  const double extra = m.curved + f.damping.number * rate * f.growth.factor(rate);
  load.value = m.elastic + extra;
  load.force_a = -load.value * g.head<3>();
  load.force_b = -load.value * g.tail<3>();
  load.potential = 0.5 * m.elastic * e;
  load.power_input = -extra * rate;
  return load;
}

void hinge_slopes(
    const HingeLaw& f, const HingeLines& x, double last, Matrix6d& stiffness, Matrix6d& damping) {
  const double phi = counted_angle(f, x, last);
  const Moment m = moment_of(f, phi - f.length);
  const Vector6d g = gradient(f, x);
  const double rate = rate_of(g, x);
  const double c = f.damping.number * f.growth.slope(rate);
  const bool straight = !f.has_axis && phi <= kStraight;  // no side to turn to: damping jumps there
  const double damper = straight ? 0.0 : f.damping.number * rate * f.growth.factor(rate);
  stiffness = hessian(f, x, m.elastic + m.curved + damper, m.slope);
  damping = c * g * g.transpose();
  if (c == 0.0 || straight) return;
  Vector6d w;
  w << x.u_dot, x.v_dot;
  stiffness += c * g * (hessian(f, x, 1.0, 0.0) * w).transpose();
}

}  // namespace femflex::mbd_solver
