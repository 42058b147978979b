// The compiled force laws PointForce and PointTorque: given vectors that act at a point of a body.
#pragma once

#include <array>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// Common base of both laws. The vector acts on marker b and, with reversed sign, on marker a, if
/// there is one (a >= 0).
struct PointLoadLaw : LawBase {
  std::array<Signal, 3> vector;
  bool in_body_frame = false;  // the vector is given in the axes of b

  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    for (const Signal& component : vector)
      visit(component);
  }
  bool may_switch() const { return false; }
  bool can_let_go() const { return false; }
};

struct PointForceLaw : PointLoadLaw {
  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool is_dead_load() const { return a < 0 && !in_body_frame; }
};

struct PointTorqueLaw : PointLoadLaw {
  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
};

PointForceLaw compile_law(const PointForce& force, const std::string& user, Compiler& compiler);
PointTorqueLaw compile_law(const PointTorque& torque, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
