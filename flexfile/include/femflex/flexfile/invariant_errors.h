// Computes differences between the inertia invariants of two bodies, relative to physical scales.
#pragma once

#include <array>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// Differences between the invariants 1 to 9 of two bodies. Element k - 1 is the largest difference
/// of an entry of invariant k, divided by the largest value that a body of mass m, radius of
/// gyration r about the origin and modal masses m_jj can have: for 1: m; 2: m r; 3: sqrt(m m_jj); 4
/// and 8: r sqrt(m m_jj); 5, 6 and 9: sqrt(m_jj m_kk); 7: m r^2. Invariant 3 of a body whose free
/// modes have no linear momentum is all round-off; this scale lets it pass.
struct InvariantErrors {
  std::array<double, 9> of{};

  double worst() const;
  /// Largest error of mass, centre and inertia, which are invariants 1, 2 and 7.
  double rigid() const;
  /// Number (1 to 9) of the invariant with the largest difference.
  int worst_number() const;
};

/// Compares two sets of invariants. If b has only partial coupling, 5, 8 and 9 are not compared.
///
/// @param a, b  invariants for the same modes; the scales are those of b
InvariantErrors invariant_errors(const InertiaInvariants& a, const InertiaInvariants& b);

/// True if 5, 8 and 9 are all zero although there are modes: switched off, or unknown because the
/// mass matrix holds only some directions (models in a line).
bool has_partial_coupling(const InertiaInvariants& invariants);

/// m, r and sqrt(m_jj) of a body: the scales of its invariants.
struct InvariantScales {
  double mass = 0.0;      ///< [kg]; 1 if the body has no mass
  double radius = 0.0;    ///< radius of gyration about the centre of mass [m]; 1 if it is zero
  Eigen::VectorXd modal;  ///< (n) sqrt(m_jj) [sqrt(kg)]; 1 if m_jj is not positive
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< centre of mass [m]
};
InvariantScales scales_of(const InertiaInvariants& invariants);

}  // namespace femflex::flexfile
