// The frame of spring_frame.h with constraints (rigid elements, averages, supports): matrices as
// NASTRAN writes them, and constraint rows in closed form. Used by tests of the importer and the
// pipeline.
#pragma once

#include <string>
#include <vector>

#include "femflex/importer/op4_writer.h"

#include "support/spring_frame.h"
#include "support/support.h"

namespace femflex::testing::spring_frame {

/// A named matrix, as a reader would return it.
inline importer::RawMatrix raw(const std::string& name, const Eigen::MatrixXd& A) {
  importer::RawMatrix out;
  out.name = name;
  out.rows = A.rows();
  out.cols = A.cols();
  out.form = importer::RawMatrix::Form::symmetric;
  out.is_dense = true;
  out.values.assign(A.data(), A.data() + A.size());
  return out;
}

/// Writes K and M of the g-set as a NASTRAN program does, along the axes of the nodes.
inline void write_g_set(const std::filesystem::path& path) {
  const Eigen::MatrixXd T = turn();
  importer::write_op4(std::vector{raw("KGG", T.transpose() * stiffness() * T),
                                  raw("MGG", T.transpose() * mass() * T)},
                      {},
                      path);
}

/// Writes K and M of the n-set. Node 7 is eliminated because it depends on node 3.
inline void write_n_set(const std::filesystem::path& path) {
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(6 * kNodes, 6 * kNodes);
  N.block<6, 6>(at(7, 1), at(3, 1)) = carried(3, 7);
  N = (turn().transpose() * N * turn()).eval();
  Eigen::MatrixXd kept(6 * kNodes, 6 * (kNodes - 1));
  kept << N.leftCols(at(7, 1)), N.rightCols(6);
  const Eigen::MatrixXd T = turn() * kept;
  importer::write_op4(std::vector{raw("KNN", T.transpose() * stiffness() * T),
                                  raw("MNN", T.transpose() * mass() * T)},
                      {},
                      path);
}

/// Writes K and M of the f-set for an SPC that constrains all DOFs of node 8.
inline void write_f_set(const std::filesystem::path& path) {
  const Eigen::Index n = 6 * (kNodes - 1);
  importer::write_op4(std::vector{raw("KFF", stiffness().topLeftCorner(n, n)),
                                  raw("MFF", mass().topLeftCorner(n, n))},
                      {},
                      path);
}

inline Eigen::MatrixXd stacked(const std::vector<Eigen::RowVectorXd>& rows) {
  Eigen::MatrixXd J(static_cast<Eigen::Index>(rows.size()), 6 * kNodes);
  for (std::size_t k = 0; k < rows.size(); ++k)
    J.row(static_cast<Eigen::Index>(k)) = rows[k];
  return J;
}

/// The rows u_b - T u_a of a rigid connection.
inline Eigen::MatrixXd hanging(int a, int b) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 6 * kNodes);
  J.middleCols<6>(at(b, 1)).setIdentity();
  J.middleCols<6>(at(a, 1)) = -carried(a, b);
  return J;
}

inline Eigen::MatrixXd seven_on_three() {
  return hanging(3, 7);
}

/// A point that is averaged by an RBE3, with its first `dofs` components.
struct Averaged {
  int id;
  double weight;
  int dofs;
};

/// u_7 minus the best rigid-body fit to the DOFs of other points: q = (S' W S)^-1 S' W u. W is w
/// for translations and w L^2 for rotations, where L is the mean distance of the points from node
/// 7.
inline Eigen::MatrixXd best_fit_at_seven(const std::vector<Averaged>& points) {
  double length = 0.0;
  for (const Averaged& point : points)
    length += (position(point.id) - position(7)).norm() / static_cast<double>(points.size());
  Eigen::MatrixXd SW = Eigen::MatrixXd::Zero(6, 6 * kNodes);
  Eigen::Matrix<double, 6, 6> G = Eigen::Matrix<double, 6, 6>::Zero();
  for (const Averaged& point : points)
    for (int c = 0; c < point.dofs; ++c) {
      const Eigen::Matrix<double, 1, 6> s = carried(7, point.id).row(c);
      const double w = point.weight * (c < 3 ? 1.0 : length * length);
      SW.col(at(point.id, c + 1)) = w * s.transpose();
      G += w * s.transpose() * s;
    }
  Eigen::MatrixXd J = -G.inverse() * SW;
  J.middleCols<6>(at(7, 1)).setIdentity();
  return J;
}

/// u_7 minus the mean of the translations of 2, 4 and 6 with the weights 1, 1 and 2, in closed
/// form. About the weighted centre c: theta = I^-1 sum w r x u, u_c = sum w u / W, u_7 = u_c +
/// theta x (7 - c).
inline Eigen::MatrixXd mean_at_seven() {
  const std::array<std::pair<int, double>, 3> points{{{2, 1.0}, {4, 1.0}, {6, 2.0}}};
  Eigen::Vector3d c = Eigen::Vector3d::Zero();
  for (const auto& [id, w] : points)
    c += w * position(id) / 4.0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const auto& [id, w] : points) {
    const Eigen::Matrix3d r = cross_matrix(position(id) - c);
    inertia += w * r.transpose() * r;
  }
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 6 * kNodes);
  J.middleCols<6>(at(7, 1)).setIdentity();
  for (const auto& [id, w] : points) {
    const Eigen::Matrix3d theta = inertia.inverse() * w * cross_matrix(position(id) - c);
    J.block<3, 3>(0, at(id, 1)) =
        -(w / 4.0 * Eigen::Matrix3d::Identity() - cross_matrix(position(7) - c) * theta);
    J.block<3, 3>(3, at(id, 1)) = -theta;
  }
  return J;
}

}  // namespace femflex::testing::spring_frame
