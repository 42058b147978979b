// TyreLaw: the compiled force law Tyre, a vertical spring and damper on a road.
#pragma once

#include <memory>

#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

struct TyreLaw : LawBase {
  double radius = 0.0, stiffness = 0.0, damping = 0.0, speed = 0.0;
  bool lifts_off = true;
  // height as a function of the distance x; null: road_height is used instead
  std::shared_ptr<const laws::Curve> road;
  Signal road_height;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool may_switch() const { return true; }
  bool can_let_go() const { return lifts_off; }
};

TyreLaw compile_law(const Tyre& tyre, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
