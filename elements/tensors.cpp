// Rotation of stress and strain, S' = Rᵀ S R, applied to each unit tensor; each gives one column.
#include "tensors.h"

#include <array>

namespace femflex::elements {
namespace {

constexpr std::array<std::array<int, 2>, 6> kPairs{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};

/// @param shear  ratio of the shear number to the shear component of the tensor: 1 for stress, 2
/// for strain
Matrix6d turned(const Eigen::Matrix3d& R, double shear) {
  Matrix6d T;
  for (std::size_t j = 0; j < 6; ++j) {
    Eigen::Matrix3d unit = Eigen::Matrix3d::Zero();
    unit(kPairs[j][0], kPairs[j][1]) = unit(kPairs[j][1], kPairs[j][0]) = j < 3 ? 1.0 : 1.0 / shear;
    const Eigen::Matrix3d now = R.transpose() * unit * R;
    for (std::size_t i = 0; i < 6; ++i)
      T(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          (i < 3 ? 1.0 : shear) * now(kPairs[i][0], kPairs[i][1]);
  }
  return T;
}

}  // namespace

Matrix6d turned_stress(const Eigen::Matrix3d& R) {
  return turned(R, 1.0);
}

Matrix6d turned_strain(const Eigen::Matrix3d& R) {
  return turned(R, 2.0);
}

}  // namespace femflex::elements
