// The law of Contact, a point or a sphere against a plane or another sphere.
#pragma once

#include <optional>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// Contact compiled. For a plane, the z axis of marker a is the normal. With LuGre friction the
/// states are the mean bristle deflections along the axes of marker a: x and y for a plane, x, y
/// and z for a sphere.
struct ContactLaw : LawBase {
  double stiffness = 0.0, damping = 0.0, exponent = 1.0;
  bool is_sphere = false;                    // a is the centre of another sphere, not a plane
  double radius = 0.0, sphere_radius = 0.0;  // [m] radii of the spheres about b and a

  std::optional<ContactFriction> friction;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  GripSense sense(const Model& compiled, const Workspace& ws) const;
};

ContactLaw compile_law(const Contact& contact, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
