// The law of Bushing, linear in six components.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// See Bushing. eq. (19)
struct BushingLaw : LawBase {
  Eigen::Matrix<double, 6, 6> stiffness = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 6> damping = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> preload = Eigen::Matrix<double, 6, 1>::Zero();

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now) const;
  bool has_energy_balance() const { return stiffness.isApprox(stiffness.transpose()); }
};

BushingLaw compile_law(const Bushing& bushing, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
