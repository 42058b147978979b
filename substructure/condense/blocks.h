// The steps that all condensations of a part share: its matrices partitioned into ports (b,
// boundary) and inner coordinates (i), its static reduction, and its inner modes.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// @throws ModelError  the upper end of the band [rad/s] is not a positive number
void check_band(double band);

/// A symmetric part, partitioned into ports b and inner coordinates i. Its dynamic stiffness is a
/// polynomial of degree two at most.
struct Blocks {
  std::string name;  ///< of the part, for messages
  SparseMatrix K_bb, K_ib, K_ii, C_bb, C_ib, C_ii, M_bb, M_ib, M_ii;
};
/// @throws ModelError  not symmetric, or of an order above two
Blocks blocks_of(const DynamicStiffness& part);

/// The matrices on the ports if the inside (the inner coordinates) follows statically, and the
/// coupling of the inside's own motion to the ports.
struct StaticReduction {
  Eigen::MatrixXd T;        ///< (inner x ports) u_i = T u_b,  K_ii T = -K_ib
  Eigen::MatrixXd K, C, M;  ///< stiffness, damping and mass on the ports
  Eigen::MatrixXd L;        ///< (inner x ports) M_ib + M_ii T
  Eigen::MatrixXd G;        ///< (inner x ports) C_ib + C_ii T
  Eigen::MatrixXd
      static_sum;  ///< L' K_ii^-1 L, the sum over all inner modes of (phi' L)' (phi' L) / omega^2
};
/// @throws NumericalError  K_ii is singular
StaticReduction static_reduction(const Blocks& blocks);

/// Modes of the inside with fixed ports, in ascending order of omega, of unit modal mass. Modes of
/// infinite frequency (without mass) are left out.
struct InnerModes {
  Eigen::VectorXd omega;  ///< [rad/s]
  Eigen::MatrixXd shapes;
  bool complete = false;  ///< true if all modes of finite frequency are included
};
/// The `count` lowest inner modes; all modes if the inside is small.
/// @throws ModelError      K_ii is not positive definite, or M_ii not positive semidefinite
/// @throws NumericalError  the modes do not converge
InnerModes inner_modes(const Blocks& blocks, Eigen::Index count);

/// Rayleigh damping C = mass M + stiffness K.
struct Rayleigh {
  bool holds = false;
  double mass = 0.0;
  double stiffness = 0.0;
};
/// Fits C = mass M + stiffness K by least squares; `holds` tells whether the fit is exact.
Rayleigh rayleigh_damping(const DynamicStiffness& part);

/// Largest singular value of a symmetric matrix.
double symmetric_norm(const Eigen::MatrixXd& a);

/// A part with the port names of `from` and these dense coefficients, the constant one first. Rows
/// beyond the ports are inner coordinates.
DynamicStiffness part_like(const DynamicStiffness& from,
                           const std::vector<Eigen::MatrixXd>& coefficients);

}  // namespace femflex::substructure
