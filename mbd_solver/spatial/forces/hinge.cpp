// Compiles a hinge and applies its moment as forces on the four ends of its lines. spatial/hinge.h
// computes the moment. Equations: docs/theory/multibody.md.
#include "spatial/forces/hinge.h"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/hinge.h"

namespace femflex::mbd_solver {

namespace {

double last_angle(const HingeLaw& law, const Workspace& ws) {
  return law.turn >= 0 ? ws.joint_angles(law.turn) : 0.0;
}

}  // namespace

PairLoad HingeLaw::load(const Model& /*model*/, const Workspace& ws) const {
  HingeLines lines = lines_of(*this, ws.markers);
  lines.picks_side = ws.picks_sides;
  return hinge_load(*this, lines, last_angle(*this, ws));
}

// eq. (18c)
Matrix6d HingeLaw::line_slope(const Workspace& ws, double velocity, double position) const {
  Matrix6d by_position, by_velocity;
  hinge_slopes(*this, lines_of(*this, ws.markers), last_angle(*this, ws), by_position, by_velocity);
  return position * by_position + velocity * by_velocity;
}

// The load along a line acts on its far end, and with the opposite sign on its near end.
void HingeLaw::add(const Model& model, Workspace& ws, const PairLoad& load) const {
  add_marker_load(model, ws, b, load.force_b, load.torque_b, -1.0);
  add_marker_load(model, ws, a, load.force_a, load.torque_a, -1.0);
  add_marker_load(model, ws, ends[0], load.force_a, load.torque_a, 1.0);
  add_marker_load(model, ws, ends[2], load.force_b, load.torque_b, 1.0);
}

double HingeLaw::angle(const Workspace& ws) const {
  return hinge_angle(*this, lines_of(*this, ws.markers));
}

HingeLaw compile_law(const Hinge& hinge, const std::string& user, Compiler& compiler) {
  HingeLaw law;
  law.is_stiff = law.is_rotational = law.shows_angle = true;
  std::array<Eigen::Vector3d, 4> p;
  for (std::size_t k = 0; k < 4; ++k) {
    law.ends.push_back(compiler.place(hinge.ends[k], user));
    p[k] = compiler.initial_frame(law.ends[k]).p;
  }
  law.a = law.ends[1];
  law.b = law.ends[3];
  const HingeLines lines{p[1] - p[0], p[3] - p[2]};
  if (lines.u.isZero(0.0) || lines.v.isZero(0.0))
    throw ModelError("hinge",
                     fmt::format("{}: a line without length, from {} to {}, has no angle",
                                 user,
                                 hinge.ends[lines.u.isZero(0.0) ? 0 : 2],
                                 hinge.ends[lines.u.isZero(0.0) ? 1 : 3]));
  if (hinge.axis) {
    if (!hinge.axis->allFinite() || hinge.axis->isZero(0.0))
      throw ModelError("hinge", fmt::format("{}: the axis has no direction", user));
    law.has_axis = true;
    law.axis = hinge.axis->normalized();
    law.turn = compiler.add_angle();
  }
  law.first_angle =
      hinge_angle(law, lines) + (law.has_axis ? 2.0 * std::numbers::pi * hinge.turns : 0.0);
  law.length = hinge.free_angle ? *hinge.free_angle : law.first_angle;
  law.stiffness = hinge.stiffness;
  law.damping = hinge.damping;
  law.growth = hinge.growth;
  if (!std::isfinite(law.length + hinge.stiffness + hinge.damping))
    throw ModelError("not-finite",
                     fmt::format("{}: stiffness, damping or free angle is not finite", user));
  if (hinge.curve) law.curve = curve_of(*hinge.curve, user);
  law.moment = hinge.moment;
  return law;
}

}  // namespace femflex::mbd_solver
