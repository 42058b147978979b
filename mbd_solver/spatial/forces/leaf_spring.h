// LeafSpringLaw: the compiled force law LeafSpring. Its force approaches an envelope with the
// distance travelled.
#pragma once

#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The state is the force [N], positive in compression.
struct LeafSpringLaw : LawBase {
  laws::Curve loading, unloading;
  double decay = 0.0, length = 0.0;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  bool may_switch() const { return false; }  // the rates of its states may switch, not the force
  bool can_let_go() const { return false; }
};

LeafSpringLaw compile_law(const LeafSpring& spring, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
