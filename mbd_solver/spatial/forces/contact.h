// The law of Contact, a point or a sphere against a plane or another sphere.
#pragma once

#include <optional>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// See Contact: the z axis of marker a is the normal of a plane. With LuGre friction its states are
/// the mean deflections of the bristles along the axes of marker a, x and y of a plane.
struct ContactLaw : LawBase {
  double stiffness = 0.0, damping = 0.0, exponent = 1.0;
  bool is_sphere = false;                    // a is the centre of another sphere, not a plane
  double radius = 0.0, sphere_radius = 0.0;  // of the spheres about b and a [m]

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
