// The law of Bushing, linear in six components, with Maxwell arms (spring and damper in series).
// Equations: docs/theory/multibody.md.
#pragma once

#include <vector>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// Bushing compiled. eq. (19)
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

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const double* states,
                double* rates) const;
  bool has_energy_balance() const { return stiffness.isApprox(stiffness.transpose()); }
};

BushingLaw compile_law(const Bushing& bushing, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
