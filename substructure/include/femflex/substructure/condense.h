// Condenses a part to its ports and few hidden coordinates, exactly or with an error bound, so that
// its inside (its inner coordinates) stays private when the part is exported.
// docs/theory/substructures.md §5. Notation: b are the ports (boundary), i the inner coordinates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

// All functions eliminate inner coordinates; with_ports() turns ports into inner coordinates.

/// R_bb - R_bi R_ii^-1 R_ib at s = i omega: exact at that frequency, a full matrix on the ports.
/// @throws NumericalError  R_ii is singular there: omega is a resonance of the part with fixed
/// ports
Eigen::MatrixXcd condensed_at(const DynamicStiffness& part, double omega);

/// The part of order two on the ports alone that is exact at s = i omega, where its real part also
/// has the exact derivative with respect to omega^2 (eq. 16).
/// @throws ModelError  not symmetric or of an order above two;  omega is not positive
DynamicStiffness condensed_about(const DynamicStiffness& part, double omega);

/// The part on the ports alone, whose inner coordinates follow the ports statically. K is exact, M
/// and C are projected (eq. 15).
/// @throws ModelError      not symmetric, or of an order above two
/// @throws NumericalError  K_ii is singular: inner coordinates can move without force
DynamicStiffness guyan(const DynamicStiffness& part);

/// A part whose inner coordinates are replaced by a few hidden ones, with a bound of the error.
struct Condensed {
  DynamicStiffness part;
  /// Bound of |R(i w) - R_reduced(i w)| in the 2-norm for every w up to `band` [N/m]. Absent if the
  /// method gives none.
  std::optional<double> error_bound;
  /// [rad/s] upper end of the frequency range, from 0, in which the bound holds
  double band = 0.0;
  double scale = 0.0;  ///< [N/m] |K| + band^2 |M| on the ports, the reference for relative errors
  std::vector<double> fixed_interface;  ///< [rad/s] frequencies of the kept modes with fixed ports
  std::vector<double> hankel;           ///< Hankel singular values, balanced truncation only
};

/// Keeps the inner modes with fixed ports up to `omega_max` [rad/s] as hidden coordinates of unit
/// mass. The bound (eq. 18) is available if damping is a M + b K.
/// @throws ModelError, NumericalError  as guyan(); K_ii is not positive definite
Condensed craig_bampton(const DynamicStiffness& part, double omega_max);

/// Keeps the static condensation of guyan(), and reduces the response that the inside adds to it to
/// `states` hidden states by balanced truncation. The bound, 2 band^2 times the sum of the
/// neglected Hankel singular values, holds for any stable damping (eq. 20).
/// @throws NumericalError  the inside is not damped, or too large (1,000 inner DOFs)
Condensed balanced_truncation(const DynamicStiffness& part, Eigen::Index states, double band);

/// The smallest part whose error up to `band` [rad/s] is at most `tolerance` times
/// Condensed::scale: Craig-Bampton if its bound holds, else balanced truncation.
/// @throws NumericalError  neither gives a bound
Condensed band_limited(const DynamicStiffness& part, double band, double tolerance);

/// What can be recovered from the exported part, and what cannot.
struct Recoverability {
  Eigen::Index ports = 0;
  /// hidden coordinates of the exported part; they are modal or balanced, not points on the part
  Eigen::Index hidden_coordinates = 0;
  Eigen::Index removed_coordinates = 0;  ///< number of inner coordinates of the full part
  Eigen::Index numbers_given = 0;        ///< independent numbers in the exported part
  Eigen::Index numbers_private = 0;      ///< independent numbers in the full part
  /// Resonances with fixed ports that the exported part still shows [Hz].
  std::vector<double> fixed_interface_hz;
  /// number of directions on the ports without stiffness; their mass can be recovered
  Eigen::Index rigid_motions = 0;
  /// The same information as sentences.
  std::vector<std::string> findings;
};

/// @param full  the part before condensation, with the same ports
/// @throws ModelError  the ports differ
Recoverability recoverability(const DynamicStiffness& exported, const DynamicStiffness& full);

}  // namespace femflex::substructure
