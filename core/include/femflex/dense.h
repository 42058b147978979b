// Eigen's decompositions of dense matrices, compiled once for all libraries of femflex: each of
// these templates costs seconds of compilation in every file that uses it.
#pragma once

#include <Eigen/Dense>

// Call compute() with a matrix of the solver's own type: an expression would compile it anew.
// TEMPLATE is `template` or `extern template`. NOLINTBEGIN(bugprone-macro-parentheses)
#define FEMFLEX_DENSE_DECOMPOSITIONS(TEMPLATE)                                                \
  TEMPLATE class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;                              \
  TEMPLATE Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>&                                    \
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::compute(                                    \
      const Eigen::EigenBase<Eigen::MatrixXd>&, int);                                         \
  TEMPLATE class Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>;                              \
  TEMPLATE Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>&                                    \
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>::compute(                                    \
      const Eigen::EigenBase<Eigen::Matrix3d>&, int);                                         \
  TEMPLATE class Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>;                   \
  TEMPLATE class Eigen::EigenSolver<Eigen::MatrixXd>;                                         \
  TEMPLATE Eigen::EigenSolver<Eigen::MatrixXd>& Eigen::EigenSolver<Eigen::MatrixXd>::compute( \
      const Eigen::EigenBase<Eigen::MatrixXd>&, bool);                                        \
  TEMPLATE class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;                                 \
  TEMPLATE class Eigen::PartialPivLU<Eigen::MatrixXd>;                                        \
  TEMPLATE class Eigen::PartialPivLU<Eigen::MatrixXcd>;                                       \
  TEMPLATE class Eigen::JacobiSVD<Eigen::MatrixXd>;
// NOLINTEND(bugprone-macro-parentheses)
FEMFLEX_DENSE_DECOMPOSITIONS(extern template)
