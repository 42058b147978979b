// Reduces a wide interface: keeps the lowest modes of the statically condensed component
// (characteristic constraint modes) instead of a unit motion of each interface DOF.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// The pencil of Guyan reduction on the interface unknowns.
struct InterfacePencil {
  Eigen::MatrixXd k;  ///< K_bb + K_bi psi
  Eigen::MatrixXd m;  ///< M_bb + M_bi psi + psi' M_ib + psi' M_ii psi
};

/// Computes the pencil by blocks of columns, so that the constraint modes psi = -K_ii^-1 K_ib are
/// never held all at once: psi' W = -K_bi K_ii^-1 W. docs/theory/modal.md eq. (42).
/// @param factor  holds the factorisation of K_ii
InterfacePencil interface_pencil(const ShiftedFactor& factor, const Partition& part);

/// Characteristic constraint modes [Castanier 2001]: the lowest eigenvectors of the pencil.
struct InterfaceModes {
  Eigen::VectorXd lambda;  ///< in ascending order; zero for motions without strain energy
  Eigen::MatrixXd Y;       ///< (interface unknowns x modes), Y' m Y = 1
};

/// @throws ModelError      more modes than the interface has DOFs with mass
/// @throws NumericalError  a motion has neither stiffness nor mass
InterfaceModes interface_modes(const InterfacePencil& pencil, std::int64_t count);

}  // namespace femflex::modal
