#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/hinge.h"

namespace femflex::mbd_solver {

void Compiler::add_law(const Hinge& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::hinge;
  f.stiff = true;
  std::array<Eigen::Vector3d, 4> p;
  for (std::size_t k = 0; k < 4; ++k) {
    f.ends.push_back(place(law.ends[k], user));
    p[k] = initial_frame(f.ends[k]).p;
  }
  f.a = f.ends[1];
  f.b = f.ends[3];
  const HingeLines lines{p[1] - p[0], p[3] - p[2]};
  if (lines.u.isZero(0.0) || lines.v.isZero(0.0))
    throw ModelError("hinge",
                     fmt::format("{}: a line without length, from {} to {}, has no angle",
                                 user,
                                 law.ends[lines.u.isZero(0.0) ? 0 : 2],
                                 law.ends[lines.u.isZero(0.0) ? 1 : 3]));
  if (law.axis) {
    if (!law.axis->allFinite() || law.axis->isZero(0.0))
      throw ModelError("hinge", fmt::format("{}: the axis has no direction", user));
    f.has_axis = true;
    f.axis = law.axis->normalized();
    f.turn = model_.turns++;
  }
  f.first_angle = hinge_angle(f, lines) + (f.has_axis ? 2.0 * std::numbers::pi * law.turns : 0.0);
  f.length = law.free_angle ? *law.free_angle : f.first_angle;
  f.stiffness.number = law.stiffness;
  f.damping.number = law.damping;
  f.growth = law.growth;
  if (!std::isfinite(f.length + law.stiffness + law.damping))
    throw ModelError("not-finite",
                     fmt::format("{}: stiffness, damping or free angle is not finite", user));
  if (law.curve) f.curve = curve_of(*law.curve, user);
  if (!law.moment.empty()) f.value.formula.emplace(law.moment, std::vector<std::string>{"e"});
}

}  // namespace femflex::mbd_solver
