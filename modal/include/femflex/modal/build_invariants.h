// Computes the inertia invariants and the nodal masses of a body from the mass matrix of its FE
// model.
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
/// @param model  supplies mass matrix and positions, which are converted to SI by model.units
/// @param Phi    shapes on model.dofs, SI
InertiaInvariants consistent_invariants(const FeModel& model, const Eigen::MatrixXd& Phi);

/// The nine inertia invariants from lumped nodal masses: invariants_from_lumped() on the nodes of a
/// body.
InertiaInvariants lumped_invariants(const std::vector<BodyNode>& nodes,
                                    const Eigen::Matrix<double, Eigen::Dynamic, 6>& lumped_mass,
                                    const Eigen::MatrixXd& shapes);

/// Nodal masses mx my mz [kg], Jx Jy Jz [kg m^2] as FLEX files print them. A DOF in the mass matrix
/// gets the sum of its row over the DOFs of its direction (rotations: the diagonal entry). A DOF
/// that is not in it gets the concentrated masses that the deck declares there, if the node has
/// other DOFs in the matrix or is fixed by constraints. Directions in which nodes lack rows, or
/// without any mass (models in a line or a plane), get the mean of those that have the full mass.
/// docs/theory/modal.md eq. (13).
Eigen::Matrix<double, Eigen::Dynamic, 6> lumped_masses(const FeModel& model);

/// Total mass that the matrix gives in x, y and z: diag(T' M T) of the translations [kg].
Eigen::Vector3d directional_mass(const FeModel& model);
/// True if the three masses are equal and positive, so that the matrix contains the whole body.
bool is_whole(const Eigen::Vector3d& directional_mass);
/// True if every node of the model has its three translations among the rows, so that M is
/// complete.
bool has_every_row(const FeModel& model);

/// The consistent invariants, if the matrix holds the whole body or has every row (invariant 1 is
/// then the mean mass). If rows of fixed DOFs are missing, the matrix still gives the invariants of
/// the shapes; mass, first moment and inertia are then taken from `lumped`. Without a mass matrix
/// all are taken from `lumped`.
/// @param Phi  shapes on model.dofs, SI
InertiaInvariants body_invariants(const FeModel& model,
                                  const Eigen::MatrixXd& Phi,
                                  InertiaInvariants lumped);

/// Difference between two sets of invariants a and b, for example lumped and consistent ones;
/// relative numbers are relative to b.
struct InertiaDifference {
  double mass = 0.0;         ///< relative
  double centre = 0.0;       ///< [m]
  double inertia = 0.0;      ///< largest entry relative to the largest entry
  double translation = 0.0;  ///< invariant 3, relative to its bound from mass and modal mass
  double rotation = 0.0;     ///< invariant 4, relative to its bound from inertia and modal mass
  double modal = 0.0;        ///< invariant 6, largest entry relative to the largest entry
};
InertiaDifference difference(const InertiaInvariants& a, const InertiaInvariants& b);

}  // namespace femflex::modal
