#pragma once

#include <optional>

#include <Eigen/Core>

#include "methods/basis.h"
#include "solve/normal_modes.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// A component split at its interface: constraint modes, fixed-interface modes, and what of the
/// reduced matrices comes without a product with U.  docs/theory/modal.md eq. (6) to (8).
struct CraigBampton {
  System system;
  Partition part;
  Eigen::MatrixXd psi;   ///< constraint modes on the free unknowns (i x b)
  Eigen::MatrixXd k_bb;  ///< K_bb + K_bi psi: Guyan's stiffness
  NormalModes normal;    ///< fixed-interface modes on the free unknowns

  /// Shapes on model.dofs: constraint modes first, then the normal modes `chosen`.
  Basis basis(const FeModel& model, const std::vector<Eigen::Index>& chosen) const;
};

/// Splits, factors, solves for the constraint modes; no normal modes yet. The factor lives beside
/// the parts that it refers to.
class CraigBamptonSolver {
 public:
  CraigBamptonSolver(const FeModel& model, const SolveOptions& options, Diagnostics& diagnostics);
  CraigBamptonSolver(const CraigBamptonSolver&) = delete;
  CraigBamptonSolver& operator=(const CraigBamptonSolver&) = delete;
  CraigBamptonSolver(CraigBamptonSolver&&) = delete;
  CraigBamptonSolver& operator=(CraigBamptonSolver&&) = delete;
  ~CraigBamptonSolver() = default;

  void find_normal_modes(const NormalRequest& request, Progress& progress);
  CraigBampton& parts() { return parts_; }
  ShiftedFactor& factor() { return *factor_; }
  /// Free unknowns that carry mass: no more normal modes than these.
  std::int64_t possible_modes() const;

 private:
  SolveOptions options_;
  CraigBampton parts_;
  std::unique_ptr<ShiftedFactor> factor_;
};

/// The smallest Craig-Bampton set whose interface frequency response stays within the tolerance.
Basis automatic_basis(const FeModel& model,
                      const ReduceOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress,
                      ReduceReport& report);

/// omega^2 in the time unit of the model.
double eigenvalue_of_hz(const FeModel& model, double hz);
/// Its inverse; 0 of what is below zero.
double hz_of_eigenvalue(const FeModel& model, double lambda);

}  // namespace femflex::modal
