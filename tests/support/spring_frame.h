// A frame of eight points and seven springs in closed form, the reference for the files of
// data/constraints. Symbols: u displacement, J u = 0 a constraint, T the rotation from local to
// basic axes. Used by constrained_frame.h and by tests of the importer and the pipeline.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "femflex/dense.h"
#include "femflex/frames.h"

/// The frame of data/constraints. Each bar is a spring against the deviation of its ends from a
/// common rigid motion, so rigid motions have no energy except for rounding errors: K_e = B' C B, B
/// u = u_b - (u_a + theta_a x (b - a)). The points have mass and inertia. Directions are basic; the
/// DOFs are stored node by node.
namespace femflex::testing::spring_frame {

inline constexpr int kNodes = 8;

inline Eigen::Vector3d position(int id) {
  static const std::array<Eigen::Vector3d, kNodes> at{Eigen::Vector3d(0, 0, 0),
                                                      {0.2, 0, 0.1},
                                                      {0.4, 0.1, 0},
                                                      {0.6, 0, -0.1},
                                                      {0.8, -0.1, 0},
                                                      {1, 0, 0.1},
                                                      {0.45, 0.3, 0.05},
                                                      {0.75, -0.3, 0.2}};
  return at[static_cast<std::size_t>(id - 1)];
}

/// Axes of the displacements of a node, as columns. For node 8, z is along (0.6, 0, 0.8) and x
/// along (0.8, 0, -0.6).
inline Eigen::Matrix3d axes(int id) {
  Eigen::Matrix3d out = Eigen::Matrix3d::Identity();
  if (id == 8) out << 0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8;
  return out;
}

/// Column of a DOF; components are 1 to 6.
inline Eigen::Index at(int id, int component) {
  return 6 * (id - 1) + component - 1;
}

/// The six motions of node b if it is rigidly attached to node a.
inline Eigen::Matrix<double, 6, 6> carried(int a, int b) {
  Eigen::Matrix<double, 6, 6> out = Eigen::Matrix<double, 6, 6>::Identity();
  out.topRightCorner<3, 3>() = -cross_matrix(position(b) - position(a));
  return out;
}

inline Eigen::MatrixXd stiffness() {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6 * kNodes, 6 * kNodes);
  const std::array<std::pair<int, int>, 7> bars{
      {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {3, 7}, {5, 8}}};
  Eigen::Matrix<double, 6, 1> c;
  c << 9e6, 4e6, 6e6, 3e4, 5e4, 8e4;
  for (const auto& [a, b] : bars) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 6 * kNodes);
    B.middleCols<6>(at(b, 1)).setIdentity();
    B.middleCols<6>(at(a, 1)) = -carried(a, b);
    K += B.transpose() * (1.0 + 0.1 * b) * c.asDiagonal() * B;
  }
  return 0.5 * (K + K.transpose());
}

inline Eigen::MatrixXd mass() {
  Eigen::VectorXd m(6 * kNodes);
  for (int id = 1; id <= kNodes; ++id)
    m.segment<6>(at(id, 1)) << Eigen::Vector3d::Constant(2.0 + 0.3 * id), 0.02 + 0.001 * id, 0.03,
        0.01 * (1.0 + 0.1 * id);
  return m.asDiagonal();
}

/// The matrix T with u_basic = T u_local.
inline Eigen::MatrixXd turn() {
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(6 * kNodes, 6 * kNodes);
  for (int id = 1; id <= kNodes; ++id)
    for (const int c : {1, 4})
      T.block<3, 3>(at(id, c), at(id, c)) = axes(id);
  return T;
}

/// Motions that satisfy J u = 0: the columns span the null space of J (basic directions).
inline Eigen::MatrixXd allowed(const Eigen::MatrixXd& J) {
  return Eigen::FullPivLU<Eigen::MatrixXd>(J).kernel();
}

/// Eigenvalues of the frame under the constraints J u = 0, by dense elimination.
inline Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& J) {
  const Eigen::MatrixXd N = J.rows() == 0
                                ? Eigen::MatrixXd(Eigen::MatrixXd::Identity(6 * kNodes, 6 * kNodes))
                                : allowed(J);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
             N.transpose() * stiffness() * N, N.transpose() * mass() * N, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

/// Row that selects a DOF in basic directions.
inline Eigen::RowVectorXd unit(int id, int component) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(6 * kNodes);
  row(at(id, component)) = 1.0;
  return row;
}

/// Row that selects a DOF along the axes of its node.
inline Eigen::RowVectorXd local(int id, int component) {
  const int first = component <= 3 ? 1 : 4;
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(6 * kNodes);
  row.segment<3>(at(id, first)) = axes(id).col(component - first).transpose();
  return row;
}

}  // namespace femflex::testing::spring_frame
