// Scalars of a stress state (von Mises, principal stresses, Tresca), for many instants at once.
#pragma once

#include <array>

#include <Eigen/Core>

namespace femflex::durability {

/// Scalars of a stress state over time, one value per instant [Pa].
struct Invariants {
  Eigen::ArrayXd signed_von_mises;  ///< von Mises stress with the sign of the principal stress that
                                    ///< has the largest absolute value
  Eigen::ArrayXd principal_max;     ///< largest principal stress; of shells, bars and beams only
                                    ///< those in the plane of the components
  Eigen::ArrayXd principal_min;
  Eigen::ArrayXd tresca;  ///< largest difference of two principal stresses; the third one counts as
                          ///< 0 in a plane state
};

/// Histories of the six components xx, yy, zz, xy, yz, zx; a null pointer means that a component is
/// zero.
using SixHistories = std::array<const double*, 6>;

/// Computes all scalars of `count` instants; reuses the memory of `out`.
void compute_invariants(const SixHistories& stress, Eigen::Index count, Invariants& out);

/// 1 at every instant at which the product dev(sigma) : dev(sigma_r) with the deviator of the
/// instant `r` is 0 or more, else -1.
Eigen::ArrayXd signs_against(const SixHistories& stress, Eigen::Index count, Eigen::Index r);

}  // namespace femflex::durability
