// The law of Contact, a point against a plane.
#pragma once

#include <optional>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// See Contact: the z axis of marker a is the normal. With LuGre friction its states are the mean
/// deflections of the bristles along x and y of marker a.
struct ContactLaw : LawBase {
  double stiffness = 0.0, damping = 0.0, exponent = 1.0;

  std::optional<ContactFriction> friction;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
};

ContactLaw compile_law(const Contact& contact, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
