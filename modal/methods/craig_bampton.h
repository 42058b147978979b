// Computes the shapes of a Craig-Bampton or Guyan reduction: constraint modes of the interface, or
// the lowest combinations of them, with or without fixed-interface normal modes. Notation: b are
// interface (boundary) DOFs, i are interior DOFs, psi = -K_ii^-1 K_ib are the constraint modes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <Eigen/Core>

#include "methods/basis.h"
#include "methods/interface_modes.h"
#include "solve/normal_modes.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// A component split at its interface [Craig 1968]: constraint modes, fixed-interface modes, and
/// the blocks of the reduced matrices that need no product with U. docs/theory/modal.md eq. (6) to
/// (8).
struct CraigBampton {
  System system;
  Partition part;
  Eigen::MatrixXd psi;   ///< constraint modes on the interior unknowns (i x b)
  Eigen::MatrixXd k_bb;  ///< K_bb + K_bi psi, the stiffness of Guyan reduction
  /// Of a reduced interface: its characteristic constraint modes. psi and k_bb are then theirs, and
  /// have their columns.
  std::optional<InterfaceModes> interface;
  NormalModes normal;  ///< fixed-interface modes on the interior unknowns

  /// Shapes on model.dofs: constraint modes first, then the normal modes `chosen`.
  Basis basis(const FeModel& model, const std::vector<Eigen::Index>& chosen) const;
};

/// Computes a CraigBampton. The constructor splits the component, factors K_ii and solves for the
/// constraint modes; find_normal_modes() computes the normal modes.
class CraigBamptonSolver {
 public:
  /// @param model            must outlive the solver
  /// @param interface_modes  number of characteristic constraint modes that stand for the
  /// interface; absent: a constraint mode for each of its DOFs
  CraigBamptonSolver(const FeModel& model,
                     const SolveOptions& options,
                     Diagnostics& diagnostics,
                     std::optional<std::int64_t> interface_modes = {});
  CraigBamptonSolver(const CraigBamptonSolver&) = delete;
  CraigBamptonSolver& operator=(const CraigBamptonSolver&) = delete;
  CraigBamptonSolver(CraigBamptonSolver&&) = delete;
  CraigBamptonSolver& operator=(CraigBamptonSolver&&) = delete;
  ~CraigBamptonSolver() = default;

  /// Computes the fixed-interface modes of `request` into parts().normal.
  void find_normal_modes(const NormalRequest& request, Progress& progress);
  /// Free memory that only further solutions need: K and M with the interface, or the factor and
  /// what was factored.
  void forget_whole_matrices();
  void forget_factor();
  CraigBampton& parts() { return parts_; }
  ShiftedFactor& factor() { return *factor_; }
  /// Number of interior unknowns that carry mass: an upper limit of the number of normal modes.
  std::int64_t possible_modes() const;

 private:
  void find_constraint_modes(std::optional<std::int64_t> interface_modes);

  const FeModel& model_;
  SolveOptions options_;
  CraigBampton parts_;
  std::unique_ptr<ShiftedFactor> factor_;
};

/// Constraint modes of the interface and normal modes with the interface fixed [Craig 1968].
Basis craig_bampton_basis(const FeModel& model,
                          const ReduceOptions& options,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          ReduceReport& report);

/// Constraint modes of the interface only: static condensation [Guyan 1965].
Basis guyan_basis(const FeModel& model,
                  const ReduceOptions& options,
                  Diagnostics& diagnostics,
                  Progress& progress,
                  ReduceReport& report);

}  // namespace femflex::modal
