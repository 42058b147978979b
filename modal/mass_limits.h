// Limits by which the masses that a matrix gives along x, y and z count as equal or as zero.
#pragma once

#include <Eigen/Core>

namespace femflex::modal {

/// Up to this difference, relative to the largest of them, the masses along x, y and z count as
/// equal. The digits of a file cause a smaller difference, rows that are missing in one direction
/// usually a far larger one.
inline constexpr double kEqualMass = 1e-6;

/// A mass along one axis below this share of the largest is round-off: the model does not move
/// along that axis.
inline constexpr double kZeroMassShare = 1e-12;

/// Which of the masses along x, y and z are those of the whole model: 1, else 0. Along the other
/// axes nodes lack rows.
inline Eigen::Array3d full_directions(const Eigen::Vector3d& mass) {
  return (mass.array() >= (1.0 - kEqualMass) * mass.maxCoeff()).cast<double>();
}

}  // namespace femflex::modal
