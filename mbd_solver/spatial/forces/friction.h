// FrictionLaw: the compiled force law Friction, along one coordinate. docs/theory/multibody.md
// section 8.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/coordinate.h"
#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The state of LuGre and Dahl friction is the mean deflection of the bristles.
struct FrictionLaw : LawBase {
  ForceCoordinate coordinate = ForceCoordinate::distance;
  laws::FrictionModel model = laws::FrictionModel::regularised;
  Signal sliding;
  double sticking_ratio = 1.0, stribeck_velocity = 0.0, viscous = 0.0, transition_velocity = 1e-3;
  laws::Bristles bristles;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  GripSense sense(const Model& compiled, const Workspace& ws) const;
  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    visit(sliding);
  }
  bool may_switch() const { return true; }
  bool can_let_go() const { return false; }
};

FrictionLaw compile_law(const Friction& friction, const std::string& user, Compiler& compiler);

/// What to do about a text of negative_friction().
inline constexpr const char* kFrictionRemedy =
    "a level is 0 or more: write abs(..) for its magnitude, or max(0, ..)";
/// Names the first friction whose level, a formula, is negative at the state of `ws`; empty if
/// there is none.
std::string negative_friction(const Model& model, const Workspace& ws);

/// @throws ModelError  a number is not finite or out of its range
void check_friction(const laws::FrictionLevel& level,
                    const laws::Bristles& bristles,
                    double transition_velocity,
                    laws::FrictionModel model,
                    const std::string& user);

}  // namespace femflex::mbd_solver
