// Scalars of a stress state: von Mises, principal stresses, Tresca, over many instants at once.
#pragma once

#include <array>

#include <Eigen/Core>

namespace femflex::durability {

/// Scalars of stress over time, one value per instant [Pa].
struct Invariants {
  Eigen::ArrayXd signed_von_mises;  ///< with the sign of the principal stress of largest size
  Eigen::ArrayXd principal_max;     ///< of shells, bars and beams: in the plane of the components
  Eigen::ArrayXd principal_min;
  Eigen::ArrayXd tresca;  ///< largest difference of principal stresses, the third one (0) included
};

/// Histories of the six components xx, yy, zz, xy, yz, zx; null where a component is zero.
using SixHistories = std::array<const double*, 6>;

/// Sets all scalars of `count` instants; keeps the memory of `out`.
void compute_invariants(const SixHistories& stress, Eigen::Index count, Invariants& out);

}  // namespace femflex::durability
