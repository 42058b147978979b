#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// A flexible body in the solver's own modal coordinates xi, zeta = X xi, in which modal mass and
/// stiffness are diagonal where m allows it. Constant during a run.
struct FlexModel {
  int n = 0;                     // xi
  Eigen::MatrixXd X;             // (n_zeta x n)
  Eigen::MatrixXd zeta_to_xi;    // X' m, or the rows of the enabled modes
  bool diagonal = false;         // mass, stiffness and damping below all are
  double mass = 0.0;             // [kg]
  Eigen::Vector3d first_moment;  // invariant 2
  Eigen::Matrix3Xd N3, N4;       // invariants 3 and 4, zero where switched off
  Eigen::MatrixXd A;             // (3n x n), block c: A_c(k, j) = N5_j(c, k); empty when off
  Eigen::MatrixXd B;  // (6n x n), block c: J_c = I7_c + L_c' xi + xi' B_c xi; empty when off
  Eigen::Matrix<double, Eigen::Dynamic, 6> L;  // (n x 6): xx yy zz xy yz xz
  Eigen::Matrix3d inertia;                     // invariant 7
  Eigen::MatrixXd m, k, b;                     // modal mass, stiffness, damping (n x n)
  Eigen::VectorXd m_diagonal, k_diagonal, b_diagonal;
  struct Geometric {
    GeometricStiffness::Cause cause;
    Eigen::MatrixXd stiffness;
  };
  std::vector<Geometric> geometric;
  Eigen::VectorXd xi0, xi0_dot;
  const FlexBody* body = nullptr;
};

/// @throws ModelError  m is not positive definite on the enabled modes, sizes do not fit, ...
FlexModel make_flex_model(const Flexible& flexible, const std::string& name);

/// b of a body in its own coordinates zeta. eq. (20-23)
Eigen::MatrixXd modal_damping(const FlexBody& body,
                              const Damping& damping,
                              const std::string& name);

/// What the deformation does to a body's inertia at one state; all in the body frame.
struct FlexInertia {
  Eigen::Vector3d s;      // first moment about the frame origin
  Eigen::Vector3d s_dot;  // N3 xi_dot
  Eigen::Matrix3d J;      // about the frame origin
  Eigen::Matrix3d J_dot;
  Eigen::Matrix3Xd H;                                // coupling of rotation and modes (3 x n)
  Eigen::VectorXd A_xi, A_xi_dot;                    // (3n)
  Eigen::VectorXd B_xi;                              // (6n)
  Eigen::Matrix<double, Eigen::Dynamic, 6> J_slope;  // dJ_c/dxi (n x 6)
  explicit FlexInertia(int n = 0)
      : H(3, n), A_xi(3 * n), A_xi_dot(3 * n), B_xi(6 * n), J_slope(n, 6) {
    s.setZero();
    s_dot.setZero();
    J.setZero();
    J_dot.setZero();
    H.setZero();
    A_xi.setZero();
    A_xi_dot.setZero();
    B_xi.setZero();
    J_slope.setZero();
  }
};

/// s and s_dot alone: all that a body at rest needs.
void first_moment(const FlexModel& flex, const double* xi, const double* xi_dot, FlexInertia& out);
/// Position and velocity dependent part of FlexInertia. eq. (6-9)
void flex_inertia(const FlexModel& flex, const double* xi, const double* xi_dot, FlexInertia& out);

}  // namespace femflex::mbd_solver
