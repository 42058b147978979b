// AirSpringLaw: the compiled force law AirSpring, gas in a bellows of constant effective area.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// `length` is the length [m] at which the gas has data.volume.
struct AirSpringLaw : LawBase {
  AirSpring data;
  double length = 0.0;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool may_switch() const { return false; }
  bool can_let_go() const { return false; }
};

AirSpringLaw compile_law(const AirSpring& spring, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
