// Computes the inertia invariants 1 to 9 of a flexible body as sums over nodes with lumped masses,
// transforms them, and checks relations between them.
// Notation: c position of a node, phi_j and psi_j translation and rotation shape of mode j there,
// D = diag(mx, my, mz) its masses, a~ the matrix with a~ b = a x b. In the struct: 1 mass, 2
// first_moment, 3 translation, 4 rotation, 5 translation_rate, 6 modal, 7 inertia, 8 inertia_rate,
// 9 inertia_curvature.
#include "femflex/inertia_invariants.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/largest.h"

namespace femflex {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// W[r][p][s](j, k) = sum over nodes of m_r phi_pj phi_sk, with directions r, p, s and modes j, k:
/// the products from which invariants 5, 6 and 9 are formed. phi_j~ has the entries (a, r) =
/// -levi_civita(a, r, p) phi_pj.
struct Products {
  std::array<std::array<std::array<MatrixXd, 3>, 3>, 3> W;

  explicit Products(Index n) {
    for (auto& by_p : W)
      for (auto& by_s : by_p)
        by_s.fill(MatrixXd::Zero(n, n));
  }
};

/// Levi-Civita symbol: +1, -1 or 0, the sign of the permutation (a, b, c) of 0, 1, 2.
double levi_civita(int a, int b, int c) {
  return 0.5 * (b - a) * (c - b) * (c - a);
}

/// Adds the products of a block of nodes to `products`. X[p] (nodes x n) holds the shapes in
/// direction p, m (nodes x 3 or more) the masses mx my mz. If the three masses of every node are
/// equal, the products of r = x serve for y and z as well.
void add_products(const std::array<MatrixXd, 3>& X, const MatrixXd& m, Products& products) {
  const bool isotropic = m.col(0) == m.col(1) && m.col(0) == m.col(2);
  for (int r = 0; r < 3; ++r) {
    if (isotropic && r > 0) break;
    for (int p = 0; p < 3; ++p) {
      MatrixXd weighted = X[static_cast<std::size_t>(p)];
      weighted.array().colwise() *= m.col(r).array();
      for (int s = p; s < 3; ++s) {
        const MatrixXd product = weighted.transpose() * X[static_cast<std::size_t>(s)];
        for (int q = r; q < (isotropic ? 3 : r + 1); ++q) {
          auto& W = products.W[static_cast<std::size_t>(q)];
          W[static_cast<std::size_t>(p)][static_cast<std::size_t>(s)] += product;
          if (s != p)
            W[static_cast<std::size_t>(s)][static_cast<std::size_t>(p)] += product.transpose();
        }
      }
    }
  }
}

/// residual / scale; the residual itself if the scale is zero.
double relative(double residual, double scale) {
  return scale > 0.0 ? residual / scale : residual;
}

}  // namespace

InertiaInvariants zero_invariants(Index n) {
  InertiaInvariants inv;
  inv.translation = Matrix3Xd::Zero(3, n);
  inv.rotation = Matrix3Xd::Zero(3, n);
  inv.translation_rate = Matrix3Xd::Zero(3, n * n);
  inv.modal = MatrixXd::Zero(n, n);
  inv.inertia_rate = Matrix3Xd::Zero(3, 3 * n);
  inv.inertia_curvature = MatrixXd::Zero(3 * n, 3 * n);
  return inv;
}

InertiaInvariants invariants_from_lumped(
    const Eigen::Ref<const Matrix3Xd>& positions,
    const Eigen::Ref<const MatrixXd>& shapes,
    const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 6>>& lumped) {
  const Index nodes = positions.cols();
  const Index n = shapes.cols();
  if (shapes.rows() != 6 * nodes || lumped.rows() != nodes)
    throw ModelError("invariant-size",
                     fmt::format("{} nodes need {} rows of shapes and {} of masses, not {} and {}",
                                 nodes,
                                 6 * nodes,
                                 nodes,
                                 shapes.rows(),
                                 lumped.rows()));
  InertiaInvariants inv = zero_invariants(n);
  Products products(n);
  MatrixXd rotary = MatrixXd::Zero(n, n);
  // nodes per block; three blocks of 60 modes stay within the second-level cache
  constexpr Index kBlock = 512;
  std::array<MatrixXd, 3> X;
  for (Index from = 0; from < nodes; from += kBlock) {
    const Index count = std::min(kBlock, nodes - from);
    for (auto& x : X)
      x.resize(count, n);
    for (Index mode = 0; mode < n; ++mode)
      for (Index k = 0; k < count; ++k)
        for (Index p = 0; p < 3; ++p)
          X[static_cast<std::size_t>(p)](k, mode) = shapes(6 * (from + k) + p, mode);
    add_products(X, lumped.middleRows(from, count), products);

    for (Index k = 0; k < count; ++k) {
      const Index node = from + k;
      const Vector3d m = lumped.row(node).head<3>().transpose();
      const Vector3d I = lumped.row(node).tail<3>().transpose();
      const Vector3d c = positions.col(node);
      const Matrix3d c_m = cross_matrix(c) * m.asDiagonal();
      inv.mass += m.mean();
      inv.first_moment += m.cwiseProduct(c);
      inv.inertia.noalias() += c_m * cross_matrix(c).transpose();
      inv.inertia.diagonal() += I;
      if (I.squaredNorm() > 0.0) {
        const auto psi = shapes.middleRows<3>(6 * node + 3);
        inv.rotation.noalias() += I.asDiagonal() * psi;
        rotary.noalias() += psi.transpose() * (I.asDiagonal() * psi);
      }
      if (m.squaredNorm() == 0.0) continue;
      for (Index j = 0; j < n; ++j) {
        const Vector3d phi = shapes.col(j).segment<3>(6 * node);
        inv.translation.col(j) += m.cwiseProduct(phi);
        inv.rotation.col(j) += c_m * phi;
        inv.inertia_rate.middleCols<3>(3 * j).noalias() += c_m * cross_matrix(phi);
      }
    }
  }

  inv.modal = products.W[0][0][0] + products.W[1][1][1] + products.W[2][2][2] + rotary;
  for (int a = 0; a < 3; ++a) {
    for (int r = 0; r < 3; ++r) {
      if (r == a) continue;
      const int p = 3 - a - r;
      const auto& W = products.W[static_cast<std::size_t>(r)];
      // 5: (phi_j~ D phi_k)_a = sum_r -levi_civita(a, r, p) phi_pj m_r phi_rk
      const MatrixXd& W5 = W[static_cast<std::size_t>(p)][static_cast<std::size_t>(r)];
      for (Index j = 0; j < n; ++j)
        inv.translation_rate.row(a).segment(n * j, n) -= levi_civita(a, r, p) * W5.row(j);
      // 9: (phi_j~ D phi_k~)_ab = sum_r levi_civita(a, r, p) levi_civita(r, b, s) phi_pj m_r phi_sk
      for (int b = 0; b < 3; ++b) {
        if (b == r) continue;
        const int s = 3 - b - r;
        const MatrixXd& W9 = W[static_cast<std::size_t>(p)][static_cast<std::size_t>(s)];
        const double sign = levi_civita(a, r, p) * levi_civita(r, b, s);
        for (Index k = 0; k < n; ++k)
          for (Index j = 0; j < n; ++j)
            inv.inertia_curvature(3 * j + a, 3 * k + b) += sign * W9(j, k);
      }
    }
  }
  return inv;
}

InertiaInvariants translated(const InertiaInvariants& invariants, const Vector3d& offset) {
  InertiaInvariants inv = invariants;
  const Matrix3d d = cross_matrix(offset);
  const Matrix3d S = cross_matrix(invariants.first_moment);
  inv.first_moment += invariants.mass * offset;
  inv.rotation += d * invariants.translation;
  inv.inertia -= S * d + d * S + invariants.mass * d * d;
  for (Index j = 0; j < inv.modes(); ++j)
    inv.inertia_rate.middleCols<3>(3 * j) += d * cross_matrix(invariants.translation.col(j));
  return inv;
}

InertiaInvariants rotated(const InertiaInvariants& invariants, const Matrix3d& Q) {
  InertiaInvariants inv = invariants;
  const Index n = inv.modes();
  // (Q a)~ = det(Q) Q a~ Q', and rotation shapes transform with det(Q) Q: they are axial vectors
  const Matrix3d axial = Q.determinant() < 0.0 ? Matrix3d(-Q) : Q;
  inv.first_moment = Q * invariants.first_moment;
  inv.translation = Q * invariants.translation;
  inv.rotation = axial * invariants.rotation;
  inv.translation_rate = axial * invariants.translation_rate;
  inv.inertia = Q * invariants.inertia * Q.transpose();
  for (Index j = 0; j < n; ++j) {
    inv.inertia_rate.middleCols<3>(3 * j) =
        Q * invariants.inertia_rate.middleCols<3>(3 * j) * Q.transpose();
    for (Index k = 0; k < n; ++k)
      inv.inertia_curvature.block<3, 3>(3 * j, 3 * k) =
          Q * invariants.inertia_curvature.block<3, 3>(3 * j, 3 * k) * Q.transpose();
  }
  return inv;
}

InertiaInvariants in_basis(const InertiaInvariants& invariants,
                           const Eigen::Ref<const MatrixXd>& T) {
  const Index n = invariants.modes();
  const Index nt = T.cols();
  if (T.rows() != n)
    throw ModelError("invariant-size",
                     fmt::format("the basis has {} rows, but the body has {} modes", T.rows(), n));
  InertiaInvariants inv = zero_invariants(nt);
  inv.mass = invariants.mass;
  inv.first_moment = invariants.first_moment;
  inv.inertia = invariants.inertia;
  inv.translation = invariants.translation * T;
  inv.rotation = invariants.rotation * T;
  inv.modal = T.transpose() * invariants.modal * T;
  if (n == 0) return inv;
  using Strided = Eigen::Map<const MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  for (Index a = 0; a < 3; ++a) {
    // row a of 5 is the matrix F(j, k) at column n j + k
    const Strided F(invariants.translation_rate.data() + a, n, n, {3, 3 * n});
    const MatrixXd TFT = T.transpose() * F * T;
    for (Index j = 0; j < nt; ++j)
      inv.translation_rate.row(a).segment(nt * j, nt) = TFT.row(j);
    for (Index b = 0; b < 3; ++b) {
      // entry (a, b) of 8: a linear combination of the modes
      for (Index j = 0; j < nt; ++j) {
        double sum = 0.0;
        for (Index l = 0; l < n; ++l)
          sum += invariants.inertia_rate(a, 3 * l + b) * T(l, j);
        inv.inertia_rate(a, 3 * j + b) = sum;
      }
      // entry (a, b) of all blocks of 9 is the matrix H(j, k)
      const Strided H(invariants.inertia_curvature.data() + a + 3 * n * b, n, n, {9 * n, 3});
      const MatrixXd THT = T.transpose() * H * T;
      for (Index k = 0; k < nt; ++k)
        for (Index j = 0; j < nt; ++j)
          inv.inertia_curvature(3 * j + a, 3 * k + b) = THT(j, k);
    }
  }
  return inv;
}

std::vector<ConsistencyCheck> consistency_checks(const InertiaInvariants& inv,
                                                 bool has_rotary_inertia) {
  const Index n = inv.modes();
  double antisymmetry_5 = 0.0;
  double transposition_9 = 0.0;
  double cross_9_5 = 0.0;
  double trace_9_6 = 0.0;
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < n; ++k) {
      const Vector3d f = inv.translation_rate.col(n * j + k);
      const Matrix3d h = inv.inertia_curvature.block<3, 3>(3 * j, 3 * k);
      const Matrix3d h_kj = inv.inertia_curvature.block<3, 3>(3 * k, 3 * j);
      antisymmetry_5 = std::max(antisymmetry_5, largest(f + inv.translation_rate.col(n * k + j)));
      transposition_9 = std::max(transposition_9, largest(h - h_kj.transpose()));
      cross_9_5 = std::max(cross_9_5, largest(h - h.transpose() - cross_matrix(f)));
      trace_9_6 = std::max(trace_9_6, std::abs(h.trace() + 2.0 * inv.modal(j, k)));
    }
  }
  // all entries of 5 and 9 are products of phi with phi, so one scale serves both
  const double scale = std::max(largest(inv.inertia_curvature), largest(inv.translation_rate));
  std::vector<ConsistencyCheck> checks{
      {"invariant 7 is symmetric",
       relative(largest(inv.inertia - inv.inertia.transpose()), largest(inv.inertia))},
      {"invariant 6 is symmetric",
       relative(largest(inv.modal - inv.modal.transpose()), largest(inv.modal))},
      {"invariant 5 is antisymmetric in its modes", relative(antisymmetry_5, scale)},
      {"block (k, j) of invariant 9 is block (j, k) transposed", relative(transposition_9, scale)},
      {"the antisymmetric part of invariant 9 is half of invariant 5", relative(cross_9_5, scale)}};
  if (!has_rotary_inertia)
    checks.push_back({"the trace of invariant 9 is minus twice invariant 6",
                      relative(trace_9_6, std::max(scale, largest(inv.modal)))});
  return checks;
}

MatrixXd rigid_flexible_mass(const InertiaInvariants& inv) {
  const Index n = inv.modes();
  MatrixXd m = MatrixXd::Zero(6 + n, 6 + n);
  m.topLeftCorner<3, 3>().diagonal().setConstant(inv.mass);
  m.block<3, 3>(3, 0) = cross_matrix(inv.first_moment);
  m.block<3, 3>(0, 3) = cross_matrix(inv.first_moment).transpose();
  m.block<3, 3>(3, 3) = inv.inertia;
  m.block(0, 6, 3, n) = inv.translation;
  m.block(3, 6, 3, n) = inv.rotation;
  m.block(6, 0, n, 3) = inv.translation.transpose();
  m.block(6, 3, n, 3) = inv.rotation.transpose();
  m.bottomRightCorner(n, n) = inv.modal;
  return m;
}

double smallest_scaled_mass(const InertiaInvariants& invariants, const std::vector<bool>& active) {
  MatrixXd m = rigid_flexible_mass(invariants);
  // point masses on a line have no inertia about that line: rigid rows of zero inertia are left out
  std::vector<Index> rows;
  for (Index k = 0; k < m.rows(); ++k) {
    const bool is_used =
        k < 6 ? m(k, k) > 0.0 : active.empty() || active[static_cast<std::size_t>(k - 6)];
    if (is_used) rows.push_back(k);
  }
  m = MatrixXd(m(rows, rows));
  if (m.rows() == 0 || m.diagonal().minCoeff() <= 0.0) return 0.0;
  const Eigen::VectorXd scale = m.diagonal().cwiseSqrt().cwiseInverse();
  m = scale.asDiagonal() * m * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace femflex
