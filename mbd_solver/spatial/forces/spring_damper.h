// SpringLaw: the compiled force law SpringDamper, along the line between two points.
#pragma once

#include <optional>

#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

struct SpringLaw : LawBase {
  Signal stiffness, damping;
  Signal value;         // SpringDamper::force
  double length = 0.0;  // free length [m]
  double quartic = 0.0;
  bool tension_only = false;
  std::optional<laws::Formula> law;  // additional pull, a function of e, L and d (see SpringDamper)
  DampingGrowth growth;
  std::optional<laws::Curve> curve, damper_curve;
  // limits for the event; a broken spring has no force
  double break_force = 0.0, break_elongation = 0.0;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool slopes(const Workspace& ws,
              const MarkerKinematics& a_now,
              const MarkerKinematics& b_now,
              Eigen::Matrix3d& by_position,
              Eigen::Matrix3d& by_velocity) const;
  /// Whether the spring breaks now: its pull without dampers or its elongation exceeds a limit.
  bool occurs(const Model& model, const Workspace& ws) const;
  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    visit(stiffness);
    visit(damping);
    visit(value);
  }
  bool has_energy_balance() const { return stiffness.is_constant() && event < 0; }
  bool may_switch() const { return tension_only || law || curve || damper_curve; }
  bool can_let_go() const { return tension_only; }
};

SpringLaw compile_law(const SpringDamper& spring, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
