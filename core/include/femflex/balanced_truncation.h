// Balanced truncation of x' = A x + B u, y = C x: the states that inputs excite and outputs show
// most, by the square-root method. docs/bibliography.md [Moore 1981], [Glover 1984], [Laub 1987].
#pragma once

#include <Eigen/Core>

namespace femflex {

/// The linear system to be reduced; times in [s], other units are the caller's.
struct StateMatrices {
  Eigen::MatrixXd A, B, C;
};

/// The kept states z: x is about right z, and z = left' x; left' right = 1.
struct BalancedBasis {
  Eigen::VectorXd hankel;  ///< Hankel singular values of all states, falling
  Eigen::MatrixXd left, right;
  /// Bound of the error of the transfer function at each frequency: twice the sum of the Hankel
  /// singular values that are left out.
  double error_bound() const;
};

/// A slower decay rate, as a share of the fastest root's modulus, is round-off: the root counts as
/// undamped.
inline constexpr double kMinDecay = 1e-12;

/// Keeps at most `order` states; fewer where further ones have no share but round-off.
/// @throws NumericalError  "not-stable": a root does not decay, or too slowly; "not-converged"
BalancedBasis balance(const StateMatrices& system, Eigen::Index order);

}  // namespace femflex
