// is_rotation(): whether a matrix read from a file is a rotation.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

namespace femflex {

/// Whether R is a rotation matrix within the accuracy of files with six decimals.
inline bool is_rotation(const Eigen::Matrix3d& R) {
  // entries rounded to six decimals: |E| <= 1.5e-6, |R'R - 1| <= 2 |E|
  constexpr double kNotOrthogonal = 3.1e-6;
  return (R.transpose() * R - Eigen::Matrix3d::Identity()).norm() <= kNotOrthogonal &&
         R.determinant() >= 0.0;
}

}  // namespace femflex
