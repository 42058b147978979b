// Fits nonnegative nodal masses to the inertia invariants of a body.
#pragma once

#include <vector>

#include "masses/mass_features.h"

namespace femflex::flexfile {

/// Result of fit_masses().
struct MassFit {
  Eigen::VectorXd x;         ///< in the order of MassFeatures
  double rigid_error = 0.0;  ///< largest of |rigid x - target|
};

/// Finds x >= 0 that satisfies the rigid rows exactly and the other rows as well as possible:
///
///   minimise  sum (x - x0)^2 / x0 + |rows x - target|^2 / rho   with x >= 0, rigid x = target
///
/// The first term, with a small rho, keeps x near x0 where the invariants leave a choice. The dual
/// problem has one unknown mu per row, with x = x0 max(0, 1 - F' mu), and is solved by Newton's
/// method with a line search (Qi and Sun 1993); a step takes size * rank^2 operations.
///
/// @param x0          positive if an unknown may be used, else zero
/// @param may_be_negative  nodal masses have no lower bound (rotary inertias keep theirs)
MassFit fit_masses(const MassFeatures& features,
                   const MassFeatures::Compressed& flexible,
                   const Eigen::VectorXd& x0,
                   bool may_be_negative);

}  // namespace femflex::flexfile
