// Compiles a spring and damper. Its force and stiffness are computed in spatial/spring.h.
#include "spatial/forces/spring_damper.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/spring.h"

namespace femflex::mbd_solver {

PairLoad SpringLaw::load(const Model& model,
                         const Workspace& ws,
                         const MarkerKinematics& a_now,
                         const MarkerKinematics& b_now) const {
  return spring_load(model, ws, *this, a_now, b_now);
}

bool SpringLaw::slopes(const Workspace& ws,
                       const MarkerKinematics& a_now,
                       const MarkerKinematics& b_now,
                       Eigen::Matrix3d& by_position,
                       Eigen::Matrix3d& by_velocity) const {
  return spring_slopes(ws, *this, a_now, b_now, by_position, by_velocity);
}

bool SpringLaw::occurs(const Model& model, const Workspace& ws) const {
  return spring_breaks(model, ws, *this);
}

SpringLaw compile_law(const SpringDamper& spring, const std::string& user, Compiler& compiler) {
  SpringLaw law;
  law.a = compiler.place(spring.a, user);
  law.b = compiler.place(spring.b, user);
  law.length = spring.length.value_or(compiler.initial_distance(law.a, law.b));
  check_number(law.length, user, "the free length");
  law.stiffness = compiler.signal(spring.stiffness, user);
  law.damping = compiler.signal(spring.damping, user);
  law.value = compiler.signal(spring.force, user);
  check_number(spring.quartic, user, "the quartic stiffness");
  law.quartic = spring.quartic;
  law.tension_only = spring.tension_only;
  if (spring.curve) law.curve = curve_of(*spring.curve, user);
  law.law = spring.law;
  law.growth = spring.growth;
  if (spring.damper_curve) law.damper_curve = curve_of(*spring.damper_curve, user);
  if (!(spring.break_force > 0.0) || std::isnan(spring.break_elongation))
    throw ModelError("break",
                     fmt::format("{}: break_force {} N, break_elongation {} m; expected a force "
                                 "above 0 and a number",
                                 user,
                                 spring.break_force,
                                 spring.break_elongation));
  law.break_force = spring.break_force;
  law.break_elongation = spring.break_elongation;
  if (std::isfinite(law.break_force) || std::isfinite(law.break_elongation))
    law.event = compiler.add_event();
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
