#pragma once

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

}  // namespace femflex
