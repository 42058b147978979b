// The effect of an anti-roll bar on its ends: a force that pulls the longer of two lines together
// and pushes the other one apart.
#include "spatial/forces/anti_roll_bar.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

AntiRollBarLaw::Lines AntiRollBarLaw::lines(const Workspace& ws) const {
  const auto end = [&](std::size_t k) -> const MarkerKinematics& {
    return ws.markers[static_cast<std::size_t>(ends[k])];
  };
  Lines out;
  const Vector3d left = end(1).p - end(0).p, right = end(3).p - end(2).p;
  out.left_length = left.norm();
  out.right_length = right.norm();
  out.left = left / out.left_length;
  out.right = right / out.right_length;
  out.elongation = out.left_length - out.right_length - difference;
  out.rate = out.left.dot(end(1).v - end(0).v) - out.right.dot(end(3).v - end(2).v);
  out.force = stiffness * out.elongation + damping * out.rate;
  return out;
}

PairLoad AntiRollBarLaw::load(const Model& /*model*/, const Workspace& ws) const {
  PairLoad load;
  const Lines now = lines(ws);
  load.value = now.force;
  load.length = now.elongation;
  load.force_a = -now.force * now.left;
  load.force_b = now.force * now.right;
  load.potential = 0.5 * stiffness * now.elongation * now.elongation;
  load.power_input = -damping * now.rate * now.rate;
  return load;
}

// The load along a line acts on its far end, and with the opposite sign on its near end.
void AntiRollBarLaw::add(const Model& model, Workspace& ws, const PairLoad& load) const {
  const Vector3d none = Vector3d::Zero();
  add_marker_load(model, ws, ends[1], load.force_a, none, -1.0);
  add_marker_load(model, ws, ends[0], load.force_a, none, 1.0);
  add_marker_load(model, ws, ends[3], load.force_b, none, -1.0);
  add_marker_load(model, ws, ends[2], load.force_b, none, 1.0);
}

Matrix6d AntiRollBarLaw::line_slope(const Workspace& ws, double velocity, double position) const {
  const Lines now = lines(ws);
  Vector6d g;
  g << now.left, -now.right;
  Matrix6d slope = (position * stiffness + velocity * damping) * g * g.transpose();
  const auto geometric = [&](const Vector3d& e, double length) -> Matrix3d {
    return position * now.force / length * (Matrix3d::Identity() - e * e.transpose());
  };
  slope.topLeftCorner<3, 3>() += geometric(now.left, now.left_length);
  slope.bottomRightCorner<3, 3>() -= geometric(now.right, now.right_length);
  return slope;
}

AntiRollBarLaw compile_law(const AntiRollBar& bar, const std::string& user, Compiler& compiler) {
  AntiRollBarLaw law;
  std::vector<Vector3d> p;
  for (const std::string& end : bar.ends) {
    law.ends.push_back(compiler.place(end, user));
    p.push_back(compiler.initial_frame(law.ends.back()).p);
  }
  const double left = (p[1] - p[0]).norm(), right = (p[3] - p[2]).norm();
  if (!(left > 0.0) || !(right > 0.0))
    throw ModelError("anti-roll-bar",
                     fmt::format("{}: the {} line has both ends at the same point",
                                 user,
                                 left > 0.0 ? "right" : "left"));
  law.a = law.ends[1];
  law.b = law.ends[3];
  law.difference = left - right;
  law.stiffness = bar.stiffness;
  law.damping = bar.damping;
  check_number(bar.stiffness + bar.damping, user, "stiffness or damping");
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
