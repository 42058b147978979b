#pragma once

#include <vector>

#include <Eigen/Core>

#include "methods/component_modes.h"

namespace femflex::modal {

/// Condensed dynamic stiffness of the interface of the full model at one frequency, in model units:
/// Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib, by a factor of K_ii - w^2 M_ii and no mode.
struct InterfaceSample {
  double w2 = 0.0;  ///< omega^2 [1/time^2]
  Eigen::MatrixXd Z;
};

/// At omega^2 = w2, or a hair beside it where that is a fixed-interface eigenvalue.
InterfaceSample full_interface_sample(CraigBamptonSolver& solver, double w2);

/// At `count` frequencies of the band, the last one at its end.
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
  /// Of a body with interface shapes Phi_b of unit mass and eigenvalues lambda, rigid modes with
  /// lambda = 0 among them: its undamped receptance R = Phi_b diag(1 / (lambda - w^2)) Phi_b' may
  /// have any rank, and w may meet a resonance.  docs/theory/modal.md eq. (36).
  Eigen::MatrixXcd of_modes(const Eigen::MatrixXd& Phi_b,
                            const Eigen::VectorXd& lambda,
                            double w2) const;
  const Eigen::VectorXd& scale() const { return d_; }

 private:
  Eigen::VectorXd d_;
  Eigen::MatrixXd k_;
  double g_;
};

}  // namespace femflex::modal
