// DragLaw: the compiled force law Drag, a resistance against the velocity of a point.
#pragma once

#include "femflex/laws/damper.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

struct DragLaw : LawBase {
  laws::Damper damper;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool slopes(const Workspace& ws,
              const MarkerKinematics& a_now,
              const MarkerKinematics& b_now,
              Eigen::Matrix3d& by_position,
              Eigen::Matrix3d& by_velocity) const;
  bool may_switch() const { return false; }
  bool can_let_go() const { return false; }
};

DragLaw compile_law(const Drag& drag, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
