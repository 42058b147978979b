// BushingLaw: the compiled force law Bushing in six components, with linear stiffness, tables,
// Maxwell arms and rubber friction. eq. (19)
#pragma once

#include <vector>

#include "femflex/laws/curve.h"
#include "femflex/laws/friction.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

struct BushingLaw : LawBase {
  Eigen::Matrix<double, 6, 6> stiffness = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 6> damping = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> preload = Eigen::Matrix<double, 6, 1>::Zero();

  /// One component of a Maxwell arm. Its state is the elongation of its damper.
  struct Arm {
    int component = 0;
    double stiffness = 0.0, time = 0.0;
  };
  std::vector<Arm> arms;

  /// A component with a table.
  struct Elastic {
    int component = 0;
    laws::Curve curve;
  };
  std::vector<Elastic> curves;

  /// A component with friction. Its entries in State::events hold the last reversal and the last
  /// accepted step.
  struct Rubber {
    enum Entry : int {
      reversal_at,
      reversal_force,
      last_at,
      last_rate,
      last_time,
      has_last,
      count
    };
    int component = 0;
    laws::RubberFriction friction;
    int entry = 0;  // index of its first entry in State::events
    laws::RubberReversal reversal(const Eigen::VectorXd& events) const {
      return {events(entry + reversal_at), events(entry + reversal_force)};
    }
  };
  std::vector<Rubber> rubber;

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  bool remember(const Workspace& ws, Eigen::VectorXd& events) const;
  bool has_energy_balance() const { return stiffness.isApprox(stiffness.transpose()); }
  bool may_switch() const { return !curves.empty(); }
  /// Whether it has a moment that depends on the rotation.
  bool has_elastic_moment() const;
  bool can_let_go() const { return false; }
};

BushingLaw compile_law(const Bushing& bushing, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
