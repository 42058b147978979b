// Computes static solutions of constrained and floating models and the rigid motions of their
// parts, and reports mechanisms by the DOFs that they move.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"

#include "solve/normal_modes.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// Mean of the positions of the nodes.
Eigen::Vector3d middle(const FeModel& model);
/// The six rigid motions about the mean of the nodes, on the unknowns.
Eigen::MatrixXd rigid_columns(const FeModel& model, const System& system);
/// The rigid motions of each part that K does not connect to the others. Parts count separately if
/// each has interface nodes, because the structure outside then joins them, or if there is no
/// interface at all. If a part can move but has no interface nodes, the whole model counts as one
/// part. A part fixed by its own constraints need not have interface nodes.
/// @param factor  factorisation of the whole system
std::vector<Eigen::MatrixXd> rigid_columns_of_parts(const FeModel& model,
                                                    const System& system,
                                                    ShiftedFactor& factor,
                                                    const std::vector<std::int64_t>& interface);

/// The unknowns of a factored matrix as DOFs of a system, for messages.
struct NamedUnknowns {
  const FeModel& model;
  const System& system;
  const std::vector<std::int64_t>& unknowns;
};

/// Factors K itself, using `factor`.
/// @throws NumericalError  K is singular; names the DOFs that nothing fixes
/// @throws ModelError      K is indefinite
void factor_stiffness(ShiftedFactor& factor, const NamedUnknowns& names);

/// Factors K of a floating part, shifted slightly below its rigid modes by a multiple of M.
/// @throws NumericalError  even that is singular; names the DOFs that have neither stiffness
///                         nor mass
void factor_shifted_stiffness(ShiftedFactor& factor, const NamedUnknowns& names);

/// Runs `work`; if that finds a singular matrix and there are motions with neither stiffness nor
/// mass, holds one unknown of each in `system`, with a warning, and runs it once more. `work`
/// itself fixes the unknowns in `interface_held`; these are not changed.
void with_mechanisms_held(const FeModel& model,
                          System& system,
                          const std::vector<Dof>* interface_held,
                          Diagnostics& diagnostics,
                          const std::function<void()>& work);

/// normal_modes() with error messages that name the DOFs if K and M share a zero-energy motion.
NormalModes normal_modes(ShiftedFactor& factor,
                         const NamedUnknowns& names,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress);

/// Warns if more modes than those of a rigid body have no stiffness, and names the DOFs that they
/// move; fills report.zero_modes and report.negative_modes.
/// @param tested  rigid motions whose forces have already been tested: modes among them are not
/// tested again
void warn_of_mechanisms(const ShiftedFactor& factor,
                        const NamedUnknowns& names,
                        const std::vector<Eigen::MatrixXd>& tested,
                        NormalModes& modes,
                        Diagnostics& diagnostics);

/// Constraint modes on the interior unknowns, Psi = -K_ii^-1 K_ib; `factor` holds the factorisation
/// of K_ii.  docs/theory/modal.md eq. (6).
Eigen::MatrixXd constraint_modes(const ShiftedFactor& factor, const Partition& part);

/// Elastic displacements u under loads f of a part that may float: K u = f - M X0 X0' f,
/// X0' M u = 0, where X0 are the rigid modes (if there are none: K u = f).
///
/// Uses a factorisation of K - sigma M: the error of u <- u + (K - sigma M)^-1 (f - K u) falls by
/// the factor |sigma| / lambda_1 in each round. docs/theory/modal.md eq. (28).
/// @throws NumericalError  no contraction; names the DOFs of a mechanism if that is the reason
Eigen::MatrixXd elastic_solutions(const ShiftedFactor& factor,
                                  const NamedUnknowns& names,
                                  const Eigen::MatrixXd& rigid,
                                  const Eigen::MatrixXd& f);

}  // namespace femflex::modal
