// BumpStopLaw: the compiled force law BumpStop, a one-sided spring at each end of the range of a
// coordinate.
#pragma once

#include <optional>

#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/coordinate.h"
#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

struct BumpStopLaw : LawBase {
  ForceCoordinate coordinate = ForceCoordinate::distance;
  int joint = -1;                         // joint whose angle, counted over turns, is limited; -1:
                                          // another coordinate
  double min = 0.0, max = 0.0;            // [m], [rad]
  double stiffness = 0.0, damping = 0.0;  // [N/m], [N s/m]
  std::optional<laws::Curve> curve;       // force [N] as a function of the penetration

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool may_switch() const { return true; }
  bool can_let_go() const { return true; }
};

BumpStopLaw compile_law(const BumpStop& stop, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
