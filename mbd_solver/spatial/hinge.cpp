// Evaluates Hinge: the moment of a rotational spring between two lines, as forces on the ends of
// the lines, and its derivatives. See docs/theory/multibody.md eq. (18).
#include "spatial/hinge.h"

#include <cmath>
#include <numbers>

#include "femflex/laws/damper.h"
#include "femflex/laws/hinge_angle.h"
#include "femflex/laws/spring.h"

namespace femflex::mbd_solver {

namespace {

using laws::AngleAboutAxis;
using laws::AngleInSpace;

bool are_parallel(const HingeLines& x) {
  return x.u.cross(x.v).isZero(0.0) && !x.u.isZero(0.0) && !x.v.isZero(0.0);
}

/// The gradient of the angle between parallel or opposite lines when they turn about one of the
/// many axes across them. The axis lies in no plane of the world, so that a mechanism in such a
/// plane can follow.
Vector6d gradient_to_one_side(const HingeLines& x) {
  const Eigen::Vector3d skew(0.36, 0.48, 0.8), other(0.8, -0.36, 0.48);
  const Eigen::Vector3d along = x.u.normalized();
  const bool is_skew = std::abs(along.dot(skew)) < std::abs(along.dot(other));
  const AngleAboutAxis about{{along.cross(is_skew ? skew : other).normalized()}};
  // the angle grows from 0 to either side, and falls from pi
  return (x.u.dot(x.v) > 0.0 ? 1.0 : -1.0) * about.gradient(x.u, x.v);
}

Vector6d gradient(const HingeLaw& f, const HingeLines& x) {
  return f.has_axis ? AngleAboutAxis{f.axis}.gradient(x.u, x.v) : AngleInSpace().gradient(x.u, x.v);
}

Matrix6d hessian(const HingeLaw& f, const HingeLines& x, double moment, double stiffness) {
  return f.has_axis ? AngleAboutAxis{f.axis}.hessian(x.u, x.v, moment, stiffness)
                    : AngleInSpace().hessian(x.u, x.v, moment, stiffness);
}

struct Moment {
  double elastic = 0.0;    // moment of the stiffness alone [N m]
  double potential = 0.0;  // energy of the stiffness alone [J]
  double curved = 0.0;     // moment of the table or formula [N m]
  double slope = 0.0;      // derivative of the whole moment [N m/rad]
};

Moment moment_of(const HingeLaw& f, double angle) {
  const laws::LinearSpring spring{f.stiffness, f.length};
  const double e = angle - f.length;
  Moment m;
  m.elastic = spring.force(angle);
  m.potential = spring.energy(angle);
  m.slope = spring.stiffness(angle);
  if (f.curve) {
    m.curved += (*f.curve)(e);
    m.slope += f.curve->slope(e);
  }
  if (f.moment) {
    const laws::ValueAndDerivative moment = f.moment->derivative({&e, 1}, 0);
    m.curved += moment.value;
    m.slope += moment.derivative;
  }
  return m;
}

double counted_angle(const HingeLaw& f, const HingeLines& x, double last) {
  const double angle = hinge_angle(f, x);
  return f.has_axis ? laws::nearest_turn(angle, last) : angle;
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
  return f.has_axis ? AngleAboutAxis{f.axis}.angle(x.u, x.v) : AngleInSpace().angle(x.u, x.v);
}

bool has_no_direction(const HingeLaw& f, const HingeLines& x) {
  if (f.has_axis || !are_parallel(x)) return false;
  const double phi = hinge_angle(f, x);
  const Moment m = moment_of(f, phi);
  const double outwards = phi > 0.5 * std::numbers::pi ? 1.0 : -1.0;  // W falls away from the peak
  return outwards * (m.elastic + m.curved) > 0.0;
}

PairLoad hinge_load(const HingeLaw& f, const HingeLines& x, double last) {
  PairLoad load;
  load.length = counted_angle(f, x, last);
  const Vector6d g =
      x.picks_side && has_no_direction(f, x) ? gradient_to_one_side(x) : gradient(f, x);
  const double rate = rate_of(g, x);
  const Moment m = moment_of(f, load.length);
  const double extra = m.curved + laws::Damper{f.damping, f.growth}.force(rate);
  load.value = m.elastic + extra;
  load.force_a = -load.value * g.head<3>();
  load.force_b = -load.value * g.tail<3>();
  load.potential = m.potential;
  load.power_input = -extra * rate;
  return load;
}

void hinge_slopes(
    const HingeLaw& f, const HingeLines& x, double last, Matrix6d& stiffness, Matrix6d& damping) {
  const double phi = counted_angle(f, x, last);
  const Moment m = moment_of(f, phi);
  const Vector6d g = gradient(f, x);
  const double rate = rate_of(g, x);
  const laws::Damper law{f.damping, f.growth};
  const double c = law.damping(rate);
  // here the direction of the moment is undefined, and its damping term would jump
  const bool straight = !f.has_axis && phi <= laws::kStraightAngle;
  const double damper = straight ? 0.0 : law.force(rate);
  stiffness = hessian(f, x, m.elastic + m.curved + damper, m.slope);
  damping = c * g * g.transpose();
  if (c == 0.0 || straight) return;
  Vector6d w;
  w << x.u_dot, x.v_dot;
  stiffness += c * g * (hessian(f, x, 1.0, 0.0) * w).transpose();
}

}  // namespace femflex::mbd_solver
