// TorsionalLaw: the compiled force law TorsionalSpring, about the axis of a joint.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The markers a and b of LawBase are those of the joint.
struct TorsionalLaw : LawBase {
  int joint = -1;
  Signal stiffness, damping;
  Signal torque;            // additional torque on b along the axis
  double free_angle = 0.0;  // [rad]

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    visit(stiffness);
    visit(damping);
    visit(torque);
  }
  bool has_energy_balance() const { return stiffness.is_constant(); }
  bool may_switch() const { return false; }
  bool can_let_go() const { return false; }
};

TorsionalLaw compile_law(const TorsionalSpring& spring,
                         const std::string& user,
                         Compiler& compiler);

}  // namespace femflex::mbd_solver
