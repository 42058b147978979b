// Adds up the terms of SpringDamper (linear, quartic, table, formula, damper) along the line from a
// to b, and differentiates the smooth ones. e is the unit vector from a to b, l the distance.
#include "spatial/spring.h"

#include "femflex/laws/damper.h"
#include "femflex/laws/spring.h"

#include "spatial/forces/coordinate.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

bool is_broken(const SpringLaw& f, const Workspace& ws) {
  return f.event >= 0 && ws.events(f.event) > 0.5;
}

/// The pull without dampers, and the potential of the parts that have one.
struct Elastic {
  double linear = 0.0;  // stiffness times elongation
  double quartic = 0.0;
  // table, formula in e, L and d, and formula of channels
  double curved = 0.0;
  double potential = 0.0;
  double pull() const { return linear + quartic + curved; }
};

Elastic elastic_of(const Model& model, const Workspace& ws, const SpringLaw& f, double length) {
  Elastic out;
  out.curved = value_of(model, ws, f.value);
  if (f.tension_only && length < f.length) return out;
  const laws::LinearSpring linear{value_of(model, ws, f.stiffness), f.length};
  const laws::QuarticSpring quartic{f.quartic, f.length};
  out.linear = linear.force(length);
  out.quartic = quartic.force(length);
  out.potential = quartic.energy(length);
  if (f.stiffness.is_constant()) out.potential += linear.energy(length);
  if (f.curve) out.curved += laws::CurveSpring{*f.curve, f.length}.force(length);
  if (f.law) out.curved += laws::FormulaSpring{*f.law, f.length}.force(length);
  return out;
}

}  // namespace

PairLoad spring_load(const Model& model,
                     const Workspace& ws,
                     const SpringLaw& f,
                     const MarkerKinematics& a,
                     const MarkerKinematics& b) {
  PairLoad load;
  const CoordinateNow now = coordinate_now(ForceCoordinate::distance, a, b);
  load.length = now.value;
  if (is_broken(f, ws)) return load;
  const Elastic elastic = elastic_of(model, ws, f, load.length);
  load.potential = elastic.potential;
  if (!(load.length > 0.0)) return load;  // a spring of zero length has no direction and no force
  double damper = laws::Damper{value_of(model, ws, f.damping), f.growth}.force(now.rate);
  if (f.damper_curve) damper += (*f.damper_curve)(now.rate);
  double without_potential = elastic.curved + damper;
  if (!f.stiffness.is_constant()) without_potential += elastic.linear;
  load.value = elastic.pull() + damper;
  push_along(ForceCoordinate::distance, now, a, b, -load.value, load);
  load.power_input = -without_potential * now.rate;
  return load;
}

// Derivatives of the pull F e, e = d / l, with w = d' and F_rate the derivative of F by e.w. By d:
// dF/dl e e' + F/l (1 - e e') + F_rate e (w - (e.w) e)' / l. By w: F_rate e e'.
bool spring_slopes(const Workspace& ws,
                   const SpringLaw& f,
                   const MarkerKinematics& a,
                   const MarkerKinematics& b,
                   Eigen::Matrix3d& stiffness,
                   Eigen::Matrix3d& damping) {
  if (!f.stiffness.is_constant() || !f.damping.is_constant() || !f.value.is_constant() || f.curve ||
      f.damper_curve || f.law)
    return false;
  const auto [e, length, rate] = coordinate_now(ForceCoordinate::distance, a, b);
  if (!(length > 0.0)) return false;
  stiffness.setZero();
  damping.setZero();
  if (is_broken(f, ws)) return true;
  const Vector3d w = b.v - a.v;
  const bool is_slack_now = f.tension_only && length < f.length;
  const laws::LinearSpring linear{is_slack_now ? 0.0 : f.stiffness.number, f.length};
  const laws::QuarticSpring quartic{is_slack_now ? 0.0 : f.quartic, f.length};
  const laws::Damper damper{f.damping.number, f.growth};
  const double force =
      linear.force(length) + quartic.force(length) + damper.force(rate) + f.value.number;
  const double slope = linear.stiffness(length) + quartic.stiffness(length);
  const double by_rate = damper.damping(rate);
  const Eigen::Matrix3d along = e * e.transpose();
  damping = by_rate * along;
  stiffness = slope * along + force / length * (Eigen::Matrix3d::Identity() - along) +
              by_rate / length * e * (w - rate * e).transpose();
  return true;
}

bool spring_breaks(const Model& model, const Workspace& ws, const SpringLaw& f) {
  const double length =
      (ws.markers[static_cast<std::size_t>(f.b)].p - ws.markers[static_cast<std::size_t>(f.a)].p)
          .norm();
  return !(std::abs(elastic_of(model, ws, f, length).pull()) <= f.break_force &&
           length - f.length <= f.break_elongation);
}

}  // namespace femflex::mbd_solver
