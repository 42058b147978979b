// Gives the largest magnitude of the entries of a matrix.
#pragma once

#include <Eigen/Core>

namespace femflex {

/// Largest magnitude of an entry; 0 if the matrix is empty.
inline double largest(const Eigen::Ref<const Eigen::MatrixXd>& a) {
  return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff();
}

}  // namespace femflex
