// Coefficients of the symplectic integration method of order 4 by Blanes and Moan.
#pragma once

#include <array>

namespace femflex::hamiltonian {

/// Coefficients of the composition, as shares of a step, drift first: S. Blanes, P. C. Moan, J.
/// Comput. Appl. Math. 142 (2002) 313, S6 of order 4.
struct Composition {
  static constexpr std::array kA = {0.0792036964311957, 0.353172906049774, -0.0420650803577195};
  static constexpr std::array kB = {0.209515106613362, -0.143851773179818};
  static constexpr double kMiddle = 1.0 - 2.0 * (kA[0] + kA[1] + kA[2]);
  static constexpr double kLast = 0.5 - (kB[0] + kB[1]);
  static constexpr std::array kDrift = {kA[0], kA[1], kA[2], kMiddle, kA[2], kA[1], kA[0]};
  static constexpr std::array kKick = {kB[0], kB[1], kLast, kLast, kB[1], kB[0]};
};

}  // namespace femflex::hamiltonian
