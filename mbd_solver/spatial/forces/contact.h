// ContactLaw: the compiled force law Contact, of a point or a sphere against a plane, another
// sphere or a cylinder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The z axis of marker a is the normal of a plane or the axis of a cylinder. With LuGre friction,
/// the states are the mean deflections of the bristles along the axes of marker a; for a plane,
/// along x and y.
struct ContactLaw : LawBase {
  double stiffness = 0.0, damping = 0.0, exponent = 1.0;
  enum class Shape : std::uint8_t { plane, sphere, cylinder, bore };
  Shape shape = Shape::plane;               // shape at marker a
  double radius = 0.0, other_radius = 0.0;  // of the sphere at b and of the shape at a [m]

  std::optional<ContactFriction> friction;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  GripSense sense(const Model& compiled, const Workspace& ws) const;
  bool may_switch() const { return true; }
  bool can_let_go() const { return true; }
};

/// Regularised friction per unit of normal force, divided by the sliding speed [s/m].
double regularised_slope(const ContactFriction& friction, double speed);

/// @throws ModelError  a size or number of a contact is below 0 or not finite, or is 0 and may not
/// be
void check_contact_number(double value,
                          bool may_be_zero,
                          const char* name,
                          const std::string& user);
struct ContactNumbers {
  double stiffness, damping, exponent;
};
/// Checks the numbers and the friction that all contacts have, and notes the velocity scale of the
/// friction. @throws ModelError  one is outside its range
void check_contact(const ContactNumbers& numbers,
                   const std::optional<ContactFriction>& friction,
                   const std::string& user,
                   Compiler& compiler);

ContactLaw compile_law(const Contact& contact, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
