// The nine inertia invariants of a flexible body: integrals by which its mass matrix depends on the
// modal coordinates. Computed from lumped masses, transformed, and checked for consistency.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex {

/// The nine inertia invariants of a flexible body with n modes, all in the body frame, SI.
/// c is a node's undeformed position, phi and psi its translation and rotation shapes, m and I its
/// lumped mass and rotary inertia (or the matching rows of a consistent M); a~ b = a x b.
/// Numbers are those used by Adams, MBDyn and Abaqus.
struct InertiaInvariants {
  double mass = 0.0;                                       ///< 1  sum m                [kg]
  Eigen::Vector3d first_moment = Eigen::Vector3d::Zero();  ///< 2  sum m c              [kg m]
  Eigen::Matrix3Xd translation;                            ///< 3  sum m phi            (3 x n)
  Eigen::Matrix3Xd rotation;                               ///< 4  sum m c~ phi + I psi (3 x n)
  Eigen::Matrix3Xd translation_rate;  ///< 5  sum m phi_j~ phi: block j = columns n j .. (3 x n n)
  Eigen::MatrixXd modal;              ///< 6  sum m phi' phi + psi' I psi  (n x n)
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< 7  sum m c~' c~ + I, about the origin
  Eigen::Matrix3Xd inertia_rate;      ///< 8  sum m c~ phi_j~: block j = columns 3 j ..  (3 x 3 n)
  Eigen::MatrixXd inertia_curvature;  ///< 9  sum m phi_j~ phi_k~: block (j, k)        (3 n x 3 n)

  Eigen::Index modes() const { return modal.rows(); }
};

/// The invariants of nodes with lumped masses. If the mx, my, mz of a node differ, m is the matrix
/// diag(mx, my, mz) between the two factors of each sum, and invariant 1 sums their mean.
///
/// @param positions  c (3 x nodes) [m]
/// @param shapes     (6 nodes x n) tx ty tz rx ry rz of node 1, node 2, ...
/// @param lumped     (nodes x 6) mx my mz [kg], Jx Jy Jz [kg m^2]
/// @throws ModelError  sizes that do not fit
InertiaInvariants invariants_from_lumped(
    const Eigen::Ref<const Eigen::Matrix3Xd>& positions,
    const Eigen::Ref<const Eigen::MatrixXd>& shapes,
    const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 6>>& lumped);

/// All nine invariants with the sizes for `modes` modes, filled with zeros.
InertiaInvariants zero_invariants(Eigen::Index modes);

/// The invariants of the same body after c -> c + offset, by the parallel-axis rules.
InertiaInvariants translated(const InertiaInvariants& invariants, const Eigen::Vector3d& offset);

/// The invariants of the same body after c -> Q c with orthogonal Q: a rotation, or a reflection if
/// det Q = -1.
InertiaInvariants rotated(const InertiaInvariants& invariants, const Eigen::Matrix3d& Q);

/// The invariants of shapes * T: a subset of the modes, a scaling, another basis.
InertiaInvariants in_basis(const InertiaInvariants& invariants,
                           const Eigen::Ref<const Eigen::MatrixXd>& T);

/// A relation between invariants, and by how much it is violated, relative to the largest entry.
struct ConsistencyCheck {
  std::string name;  ///< as a sentence: "invariant 7 is symmetric"
  double residual = 0.0;
};

/// Residuals of the relations that hold for every body of point masses, whatever its shapes:
/// 5 is antisymmetric in (j, k); block (k, j) of 9 is block (j, k) transposed; the antisymmetric
/// part of block (j, k) of 9 is half of 5's cross matrix; the trace of block (j, k) of 9 is minus
/// twice the translational part of 6; 7 and 6 are symmetric.
/// The trace rule is left out if nodes have rotary inertia, because 6 includes it and 9 does not.
std::vector<ConsistencyCheck> consistency_checks(const InertiaInvariants& invariants,
                                                 bool has_rotary_inertia);

/// Mass matrix of the 6 rigid and n modal coordinates together at rest (6 + n square), order:
/// translation, rotation about the body origin, modes.
Eigen::MatrixXd rigid_flexible_mass(const InertiaInvariants& invariants);

/// Smallest eigenvalue of rigid_flexible_mass(), restricted to the modes marked in `active` (empty:
/// all modes) and scaled to a unit diagonal. Zero if the shapes contain rigid-body motion or are
/// linearly dependent.
double smallest_scaled_mass(const InertiaInvariants& invariants,
                            const std::vector<bool>& active = {});

}  // namespace femflex
