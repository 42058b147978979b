// The inertia of a flexible body as a function of its modal coordinates xi: constant coefficients
// (FlexModel) and their values at one state (FlexInertia). docs/theory/multibody.md eq. (6-10)
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Rows and columns of the six independent entries of a symmetric 3 x 3 matrix: xx yy zz xy yz xz.
inline constexpr int kPairRow[6] = {0, 1, 2, 0, 1, 0};
inline constexpr int kPairCol[6] = {0, 1, 2, 1, 2, 2};

/// Constants of a flexible body in the solver's modal coordinates xi, zeta = X xi, in which modal
/// mass and stiffness are diagonal.
struct FlexModel {
  int n = 0;                     // number of coordinates xi
  Eigen::MatrixXd X;             // (n_zeta x n)
  Eigen::MatrixXd zeta_to_xi;    // (n x n_zeta) selects the enabled modes and transforms them to xi
  bool diagonal = false;         // mass, stiffness and damping below are all diagonal
  double mass = 0.0;             // [kg]
  Eigen::Vector3d first_moment;  // invariant 2
  Eigen::Matrix3Xd N3, N4;       // invariants 3 and 4, zero if switched off
  // invariant 5 as three blocks F_c(k, j) = N5_j(c, k), so that H_c = N4_c + F_c xi
  Eigen::MatrixXd A;            // (3n x n) antisymmetric parts of F_c; empty if zero
  Eigen::MatrixXd A_symmetric;  // (3n x n) symmetric parts of F_c; empty if zero, as for lumped
                                // masses
  Eigen::MatrixXd B;  // (6n x n), block c: J_c = I7_c + L_c' xi + xi' B_c xi; empty if zero
  Eigen::Matrix<double, Eigen::Dynamic, 6> L;  // (n x 6): xx yy zz xy yz xz
  Eigen::Matrix3d inertia;                     // invariant 7
  // (3n x n), block c: dN3_c/dxi, stiffening due to acceleration along c; empty if there is none
  Eigen::MatrixXd N3_slope;
  Eigen::MatrixXd m, k, b;  // modal mass, stiffness, damping (n x n)
  Eigen::VectorXd m_diagonal, k_diagonal, b_diagonal;
  Eigen::VectorXd xi0, xi0_dot;
  const FlexBody* body = nullptr;
};

/// @throws ModelError  the modal mass of the enabled modes is not positive definite, sizes do not
/// match, or a number is not finite
FlexModel make_flex_model(const Flexible& flexible, const std::string& name);

/// Number, counted from 1, of the body's mode with the largest share of the modal mass of xi_j.
/// Messages refer to xi_j by this number.
int mode_number(const FlexModel& flex, Eigen::Index j);

/// Inertia of the deformed body at one state, in the body frame.
struct FlexInertia {
  Eigen::Vector3d s;        // first moment about the frame origin
  Eigen::Vector3d s_dot;    // N3 xi_dot
  Eigen::Vector3d N3_rate;  // N3_dot xi_dot
  Eigen::Vector3d H_rate;   // H_dot xi_dot
  Eigen::Matrix3d J;        // about the frame origin
  Eigen::Matrix3d J_dot;
  Eigen::Matrix3Xd N3;               // ds/dxi (3 x n)
  Eigen::Matrix3Xd H;                // coupling of rotation and modes (3 x n)
  Eigen::VectorXd A_xi, A_xi_dot;    // (3n)
  Eigen::VectorXd sym_xi, sym_rate;  // (3n) scratch: A_symmetric or N3_slope times xi, xi_dot
  Eigen::VectorXd B_xi;              // (6n)
  Eigen::Matrix<double, Eigen::Dynamic, 6> J_slope;  // dJ_c/dxi (n x 6)
  explicit FlexInertia(const FlexModel& flex);
};

/// Computes only s, N3 and their rates, which are sufficient for a body at rest.
void first_moment(const FlexModel& flex, const double* xi, const double* xi_dot, FlexInertia& out);
/// Computes all of FlexInertia, which depends on position and velocity. eq. (6-9)
void flex_inertia(const FlexModel& flex, const double* xi, const double* xi_dot, FlexInertia& out);

}  // namespace femflex::mbd_solver
