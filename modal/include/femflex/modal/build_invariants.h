#pragma once

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/inertia_invariants.h"

namespace femflex::modal {

/// The nine inertia invariants from the consistent mass matrix.  docs/theory/modal.md eq. (14).
/// With T the rigid-body columns and G_j the columns "unit rotation rate times translation of mode
/// j", all of them are products of T, G and Phi with M.
/// @param model  its mass matrix and positions; converted to SI by model.units
/// @param Phi    shapes on model.dofs, SI
InertiaInvariants consistent_invariants(const FeModel& model, const Eigen::MatrixXd& Phi);

/// The same from lumped nodal masses: invariants_from_lumped() on the nodes of a body.
InertiaInvariants lumped_invariants(const std::vector<BodyNode>& nodes,
                                    const Eigen::Matrix<double, Eigen::Dynamic, 6>& lumped_mass,
                                    const Eigen::MatrixXd& shapes);

/// Nodal masses mx my mz [kg], Jx Jy Jz [kg m^2] as FLEX files print them. A DOF that the mass
/// matrix holds gets the sum of its row over the DOFs of its direction (rotations: the
/// diagonal entry); one that it does not hold gets what concentrated masses the deck declares
/// there, if the node has other DOFs in the matrix or is held by constraints. Directions in
/// which nothing has mass (models in a line or a plane) get the mean of the others.
/// docs/theory/modal.md eq. (13).
Eigen::Matrix<double, Eigen::Dynamic, 6> lumped_masses(const FeModel& model);

/// Mass that the matrix shows in x, y and z: diag(T' M T) of the translations [kg].
Eigen::Vector3d directional_mass(const FeModel& model);
/// Equal numbers above zero: the matrix holds the whole body.
bool is_whole(const Eigen::Vector3d& directional_mass);
/// Every node of the model has its three translations among the rows: nothing is left out of M.
bool has_every_row(const FeModel& model);

/// The consistent ones, where the matrix holds the whole body or has every row (invariant 1 is the
/// mean mass then). Where rows of held DOFs are not
/// in it, it still tells what moves with the shapes; mass, first moment and inertia are then those
/// of `lumped`. All are, where the model has no mass matrix.
/// @param Phi  shapes on model.dofs, SI
InertiaInvariants body_invariants(const FeModel& model,
                                  const Eigen::MatrixXd& Phi,
                                  InertiaInvariants lumped);

/// How much the lumped masses differ from the consistent ones.
struct InertiaDifference {
  double mass = 0.0;         ///< relative
  double centre = 0.0;       ///< [m]
  double inertia = 0.0;      ///< largest entry relative to the largest entry
  double translation = 0.0;  ///< invariant 3, of the most that mass and modal mass allow
  double rotation = 0.0;     ///< invariant 4, of the most that inertia and modal mass allow
  double modal = 0.0;        ///< invariant 6, largest entry relative to the largest entry
};
InertiaDifference difference(const InertiaInvariants& a, const InertiaInvariants& b);

}  // namespace femflex::modal
