// Contact of a wheel with the tangent plane of the road under it: contact point, slips, normal
// force, and the forces of the tyre's characteristic. docs/theory/multibody.md section 9.
#include "spatial/forces/rolling_tyre.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

/// Maximum number of iterations for the contact point. Each uses the road's tangent plane at the
/// previous contact point; the first uses the plane below the wheel's centre.
constexpr int kContactPasses = 3;
/// Smallest sine of the angle between the wheel plane and the road plane. Below it the wheel lies
/// flat on the road and has no forward direction.
constexpr double kFlat = 1e-3;
constexpr double kReturnTime = 0.01;  // [s] time constant with which the patch returns while the
                                      // wheel is in the air
constexpr double kUpright = 0.1;  // smallest sine of the angle between axis and vertical at start
constexpr double kPatchUnit = 1e-3;  // [m] typical deflection of the patch, for tolerances

}  // namespace

RollingTyreLaw::Contact RollingTyreLaw::contact(const Workspace& ws,
                                                const MarkerKinematics& wheel,
                                                const StateRule& rule,
                                                ForceStates& states) const {
  Contact c;
  for (std::size_t k = 0; k < 2; ++k) {  // values of a wheel in the air; in contact, load()
                                         // replaces them
    states.z[k] = rule.constants[k] / (1.0 + rule.gain / kReturnTime);
    states.rates[k] = -states.z[k] / kReturnTime;
  }
  const Vector3d axis = wheel.R.col(1);
  RoadHint& road_hint = ws.road_hints[static_cast<std::size_t>(hint)];
  c.point = wheel.p;
  // length of the horizontal part of the axis; on a level road, forward = (axis x z) / level
  const double level = std::hypot(axis.x(), axis.y());
  for (int pass = 0; pass < kContactPasses; ++pass) {
    const RoadPlane plane =
        level > kFlat
            ? road->under(c.point.x(), c.point.y(), axis.y() / level, -axis.x() / level, road_hint)
            : road->at(c.point.x(), c.point.y(), road_hint);
    c.normal = Vector3d(-plane.slope_x, -plane.slope_y, 1.0).normalized();
    c.forward = axis.cross(c.normal);
    const double size = c.forward.norm();
    if (!(size > kFlat)) return c;
    c.forward /= size;
    const Vector3d up = c.forward.cross(axis);  // from the contact to the centre
    const Vector3d on_road(c.point.x(), c.point.y(), plane.height);
    c.loaded_radius = (wheel.p - on_road).dot(c.normal) / up.dot(c.normal);
    c.point = wheel.p - c.loaded_radius * up;
    c.motion.friction = plane.friction;
    if (plane.slope_x == 0.0 && plane.slope_y == 0.0 && pass > 0) break;
  }
  c.left = c.normal.cross(c.forward);
  c.deflection = tyre->unloaded_radius() - c.loaded_radius;
  c.motion.spin = wheel.w.dot(axis);
  c.motion.camber = std::asin(std::clamp(axis.dot(c.normal), -1.0, 1.0));
  const Vector3d v = wheel.v + (wheel.w - c.motion.spin * axis).cross(c.point - wheel.p);
  c.motion.Vx = v.dot(c.forward);
  c.motion.Vy = v.dot(c.left);
  if (!(c.deflection > 0.0)) return c;
  c.motion.load = tyre->normal_force(c.deflection, -v.dot(c.normal));
  if (!(c.motion.load > 0.0)) {
    c.motion.load = 0.0;
    return c;
  }
  c.touches = true;
  c.load = tyre->load(c.motion,
                      {{rule.constants[0], rule.constants[1]}, rule.gain},
                      states.z.data(),
                      states.rates.data());
  return c;
}

PairLoad RollingTyreLaw::load(const Model& /*model*/,
                              const Workspace& ws,
                              const MarkerKinematics& /*a_now*/,
                              const MarkerKinematics& b_now,
                              const StateRule& rule,
                              ForceStates& states) const {
  PairLoad load;
  const Contact c = contact(ws, b_now, rule, states);
  load.length = c.deflection;
  if (!c.touches) return load;
  load.value = c.motion.load;
  load.force_b = c.load.fx * c.forward + c.load.fy * c.left + c.motion.load * c.normal;
  load.torque_b = c.load.mx * c.forward + c.load.my * c.left + c.load.mz * c.normal +
                  (c.point - b_now.p).cross(load.force_b);
  load.power_input = load.force_b.dot(b_now.v) + load.torque_b.dot(b_now.w);
  return load;
}

double RollingTyreLaw::shown(const Workspace& ws, Shown what) const {
  ForceStates states;
  const Contact c = contact(
      ws, ws.markers[static_cast<std::size_t>(b)], {ws.states.data() + state0, 0.0}, states);
  switch (what) {
    case Shown::fx:
      return c.load.fx;
    case Shown::fy:
      return c.load.fy;
    case Shown::fz:
      return c.motion.load;
    case Shown::mx:
      return c.load.mx;
    case Shown::my:
      return c.load.my;
    case Shown::mz:
      return c.load.mz;
    case Shown::kappa:
      return c.load.kappa;
    case Shown::alpha:
      return c.load.alpha;
    case Shown::camber:
      return c.motion.camber;
    case Shown::radius:
      return c.loaded_radius;
  }
  return 0.0;
}

RollingTyreLaw compile_law(const RollingTyre& tyre, const std::string& user, Compiler& compiler) {
  RollingTyreLaw law;
  if (!tyre.tyre || !tyre.road)
    throw ModelError("rolling-tyre", fmt::format("{}: it has no tyre or no road", user));
  if (tyre.on == "ground" || tyre.on.starts_with("ground/"))
    throw ModelError("rolling-tyre",
                     fmt::format("{}: it is on the ground, which does not move", user),
                     {},
                     "\"on\" names the body of the wheel");
  const int wheel = compiler.place(tyre.on, user);
  if (compiler.model().planar)
    throw ModelError("rolling-tyre",
                     fmt::format("{}: a rolling tyre needs a system that is not planar", user));
  law.b = wheel;
  if (tyre.axis) {
    if (!tyre.axis->allFinite() || tyre.axis->isZero(0.0))
      throw ModelError("rolling-tyre", fmt::format("{}: the axis has no direction", user));
    WorldFrame frame = compiler.initial_frame(wheel);
    const Eigen::Matrix3d about = frame_about(*tyre.axis);  // its z axis is the wheel's axis
    frame.R << about.col(0), about.col(2), -about.col(1);
    law.b = compiler.marker_at(wheel, frame);
  }
  const Vector3d axis = compiler.initial_frame(law.b).R.col(1);
  if (std::hypot(axis.x(), axis.y()) < kUpright)
    throw ModelError("rolling-tyre",
                     fmt::format("{}: the wheel's axis is vertical at the start", user),
                     {},
                     "give \"axis\" to the left, as [0, 1, 0] of a wheel that rolls forwards");
  law.tyre = tyre.tyre;
  law.road = tyre.road;
  law.hint = compiler.add_hint();
  law.state_count = 2;
  law.state_unit = kPatchUnit;
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
