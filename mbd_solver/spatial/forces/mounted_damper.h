// MountedDamperLaw: the compiled force law MountedDamper, a damper and an elastic mount in series.
#pragma once

#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The state is the elongation of the damper.
struct MountedDamperLaw : LawBase {
  laws::Curve rate_of_pull;  // elongation rate of the damper [m/s] as a function of its pull
  double stiffness = 0.0, length = 0.0;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  bool may_switch() const { return false; }  // the rates of its states may switch, not the force
  bool can_let_go() const { return false; }
};

MountedDamperLaw compile_law(const MountedDamper& damper,
                             const std::string& user,
                             Compiler& compiler);

}  // namespace femflex::mbd_solver
