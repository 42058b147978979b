#pragma once

#include <vector>

#include <Eigen/Core>

#include "methods/component_modes.h"

namespace femflex::modal {

/// Condensed dynamic stiffness of the interface of the full model at one frequency, in model units:
/// Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib, by a factor of K_ii - w^2 M_ii and no mode.
struct InterfaceSample {
  double hz = 0.0;
  double w2 = 0.0;  ///< omega^2 [1/time^2]
  Eigen::MatrixXd Z;
};

std::vector<InterfaceSample> full_interface_samples(CraigBamptonSolver& solver,
                                                    const FeModel& model,
                                                    const FrequencyBand& band,
                                                    int count,
                                                    Progress& progress);

/// Receptance of the interface with hysteretic damping on both sides of a comparison,
/// H = (Z + i g k_bb)^-1, in coordinates in which k_bb has unit diagonal: translations and
/// rotations then compare.
class DampedReceptance {
 public:
  DampedReceptance(const Eigen::MatrixXd& k_bb, double loss_factor);
  Eigen::MatrixXcd of_stiffness(const Eigen::MatrixXd& Z) const;
  /// From the undamped receptance, which may have any rank: H = (1 + i g R k_bb)^-1 R.
  Eigen::MatrixXcd of_receptance(const Eigen::MatrixXd& R) const;
  const Eigen::VectorXd& scale() const { return d_; }

 private:
  Eigen::VectorXd d_;
  Eigen::MatrixXd k_;
  double g_;
};

}  // namespace femflex::modal
