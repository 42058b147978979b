// Builds flexible bodies from lumped masses: sums the invariants node by node. Symbols at a node: c
// position, m mass, J inertia, phi and psi translations and rotations of the shapes.
#include "flex_bodies.h"

#include "femflex/frames.h"

namespace femflex::testing {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

FlexBody lumped_flex_body(const Eigen::Matrix3Xd& positions,
                          const MatrixXd& lumped,
                          const MatrixXd& shapes,
                          const MatrixXd& stiffness) {
  const Index nodes = positions.cols();
  const Index n = shapes.cols();
  FlexBody body;
  body.name = "lumped";
  body.shapes = shapes;
  body.stiffness = stiffness;
  body.mass = MatrixXd::Zero(n, n);
  body.lumped_mass = lumped;
  InertiaInvariants& I = body.invariants;
  I.translation.setZero(3, n);
  I.rotation.setZero(3, n);
  I.translation_rate.setZero(3, n * n);
  I.modal.setZero(n, n);
  I.inertia_rate.setZero(3, 3 * n);
  I.inertia_curvature.setZero(3 * n, 3 * n);
  for (Index p = 0; p < nodes; ++p) {
    body.nodes.push_back({p + 1, positions.col(p)});
    const double m = lumped(p, 0);
    const Matrix3d J = Vector3d(lumped(p, 3), lumped(p, 4), lumped(p, 5)).asDiagonal();
    const Vector3d c = positions.col(p);
    const Eigen::Matrix3Xd phi = shapes.middleRows(6 * p, 3);
    const Eigen::Matrix3Xd psi = shapes.middleRows(6 * p + 3, 3);
    I.mass += m;
    I.first_moment += m * c;
    I.inertia += m * cross_matrix(c).transpose() * cross_matrix(c) + J;
    I.translation += m * phi;
    I.rotation += m * cross_matrix(c) * phi + J * psi;
    I.modal += m * phi.transpose() * phi + psi.transpose() * J * psi;
    for (Index j = 0; j < n; ++j) {
      const Matrix3d phi_j = cross_matrix(phi.col(j));
      I.translation_rate.middleCols(n * j, n) += m * phi_j * phi;
      I.inertia_rate.middleCols(3 * j, 3) += m * cross_matrix(c) * phi_j;
      for (Index k = 0; k < n; ++k)
        I.inertia_curvature.block<3, 3>(3 * j, 3 * k) += m * phi_j * cross_matrix(phi.col(k));
    }
  }
  body.mass = I.modal;
  body.modes.resize(static_cast<std::size_t>(n));
  return make_flex_body(std::move(body));
}

FlexBody double_mass_spring(const MatrixXd& columns) {
  Eigen::Matrix3Xd positions(3, 3);
  positions << 0, 0, 0, 0, 0, 0, 0, 1, 2;
  MatrixXd lumped = MatrixXd::Zero(3, 6);
  lumped.block(1, 0, 2, 3).setConstant(5.0);
  MatrixXd shapes = MatrixXd::Zero(18, columns.cols());
  shapes.row(6 + 2) = columns.row(0);
  shapes.row(12 + 2) = columns.row(1);
  Eigen::Matrix2d K;
  K << 30, -10, -10, 10;
  FlexBody body = lumped_flex_body(positions, lumped, shapes, columns.transpose() * K * columns);
  BackTransformation back;
  back.chosen_shapes = shapes;
  back.chosen_modes.resize(static_cast<std::size_t>(columns.cols()));
  back.V = MatrixXd::Identity(columns.cols(), columns.cols());
  back.alpha = Eigen::VectorXd::Ones(columns.cols());
  body.back = back;
  return make_flex_body(std::move(body));
}

}  // namespace femflex::testing
