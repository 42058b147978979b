// Computes the geometric stiffness of a flexible body from FE stiffness matrices under preload.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/sparse.h"

namespace femflex::modal {

/// Tangent stiffness of the part in a static step of the FE code under one preload: an
/// acceleration, an angular acceleration, products of angular velocities, or a force at a node.
struct PreloadedStiffness {
  GeometricStiffness::Cause cause = GeometricStiffness::Cause::spin_xx;
  std::int64_t node = 0;      ///< only for `force`: node id
  std::int8_t component = 0;  ///< only for `force`: 1..6
  /// size of the preload in that step; by `cause` [m/s^2, rad/s^2, (rad/s)^2, N, N m]
  double amount = 1.0;
  SparseMatrix stiffness;  ///< lower triangle on FeModel::dofs, in the units of the model
};

/// The cause of this name: acceleration-x to -z, angular-acceleration-x to -z, spin-xx, -yy, -zz,
/// -xy, -yz, -xz.  @throws UsageError
GeometricStiffness::Cause parse_cause(std::string_view name);

/// @throws UsageError  a cause is given twice
/// @throws ModelError  no K, a matrix of another size, an amount of zero
void check_preloaded(const FeModel& model, const std::vector<PreloadedStiffness>& preloaded);

/// Phi' (K(preload) - K) Phi / amount in SI, where Phi are the columns of `shapes` on
/// FeModel::dofs. docs/theory/modal.md eq. (19). The stiffness that a centrifugal load has itself,
/// eq. (19b), is taken out with a warning (`spin-softening`), because the simulation adds it.
/// Where every mass is next to a support, it cannot be told (`spin-softening-unknown`).
/// @throws UsageError, ModelError  as check_preloaded(); no change of K, a part of the stiffness
///                                 of the load
std::vector<GeometricStiffness> geometric_terms(const FeModel& model,
                                                const std::vector<PreloadedStiffness>& preloaded,
                                                const Eigen::MatrixXd& shapes,
                                                Diagnostics& diagnostics);

}  // namespace femflex::modal
