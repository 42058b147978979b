#include "femflex/inertia_invariants.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frames.h"

namespace femflex {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// W[r][p][s](j, k) = sum over nodes of m_r phi_pj phi_sk: all products from which 5, 6 and 9 are
/// formed. phi_j~ has the entries (a, r) = -eps(a, r, p) phi_pj.
struct Products {
  std::array<std::array<std::array<MatrixXd, 3>, 3>, 3> W;

  explicit Products(Index n) {
    for (auto& by_p : W)
      for (auto& by_s : by_p)
        by_s.fill(MatrixXd::Zero(n, n));
  }
};

/// +1, -1 or 0: sign of the permutation (a, b, c).
double eps(int a, int b, int c) {
  return 0.5 * (b - a) * (c - b) * (c - a);
}

/// Adds the products of some nodes. X[p] (nodes x n) holds phi_p.
void add_products(const std::array<MatrixXd, 3>& X, const MatrixXd& m, Products& products) {
  const bool isotropic = m.col(0) == m.col(1) && m.col(0) == m.col(2);
  for (int r = 0; r < 3; ++r) {
    if (isotropic && r > 0) break;
    for (int p = 0; p < 3; ++p) {
      // if the mass depends on the direction r, only the pairs (p, s) with both other than r, and
      // the pairs (p, r), are needed
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

double largest(const MatrixXd& a) {
  return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff();
}

double ratio(double residual, double scale) {
  return scale > 0.0 ? residual / scale : residual;
}

}  // namespace

InertiaInvariants zero_invariants(Index n) {
  InertiaInvariants i;
  i.translation = Matrix3Xd::Zero(3, n);
  i.rotation = Matrix3Xd::Zero(3, n);
  i.translation_rate = Matrix3Xd::Zero(3, n * n);
  i.modal = MatrixXd::Zero(n, n);
  i.inertia_rate = Matrix3Xd::Zero(3, 3 * n);
  i.inertia_curvature = MatrixXd::Zero(3 * n, 3 * n);
  return i;
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
  InertiaInvariants i = zero_invariants(n);
  Products products(n);
  MatrixXd rotary = MatrixXd::Zero(n, n);
  constexpr Index block = 512;  // three blocks of 60 modes stay within the second-level cache
  std::array<MatrixXd, 3> X;
  for (Index from = 0; from < nodes; from += block) {
    const Index count = std::min(block, nodes - from);
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
      i.mass += m.mean();
      i.first_moment += m.cwiseProduct(c);
      i.inertia.noalias() += c_m * cross_matrix(c).transpose();
      i.inertia.diagonal() += I;
      if (I.squaredNorm() > 0.0) {
        const auto psi = shapes.middleRows<3>(6 * node + 3);
        i.rotation.noalias() += I.asDiagonal() * psi;
        rotary.noalias() += psi.transpose() * (I.asDiagonal() * psi);
      }
      if (m.squaredNorm() == 0.0) continue;
      for (Index j = 0; j < n; ++j) {
        const Vector3d phi = shapes.col(j).segment<3>(6 * node);
        i.translation.col(j) += m.cwiseProduct(phi);
        i.rotation.col(j) += c_m * phi;
        i.inertia_rate.middleCols<3>(3 * j).noalias() += c_m * cross_matrix(phi);
      }
    }
  }

  i.modal = products.W[0][0][0] + products.W[1][1][1] + products.W[2][2][2] + rotary;
  for (int a = 0; a < 3; ++a) {
    for (int r = 0; r < 3; ++r) {
      if (r == a) continue;
      const int p = 3 - a - r;
      const auto& W = products.W[static_cast<std::size_t>(r)];
      // 5: (phi_j~ D phi_k)_a = sum_r -eps(a, r, p) phi_pj m_r phi_rk
      const MatrixXd& W5 = W[static_cast<std::size_t>(p)][static_cast<std::size_t>(r)];
      for (Index j = 0; j < n; ++j)
        i.translation_rate.row(a).segment(n * j, n) -= eps(a, r, p) * W5.row(j);
      // 9: (phi_j~ D phi_k~)_ab = sum_r eps(a, r, p) eps(r, b, s) phi_pj m_r phi_sk
      for (int b = 0; b < 3; ++b) {
        if (b == r) continue;
        const int s = 3 - b - r;
        const MatrixXd& W9 = W[static_cast<std::size_t>(p)][static_cast<std::size_t>(s)];
        const double sign = eps(a, r, p) * eps(r, b, s);
        for (Index k = 0; k < n; ++k)
          for (Index j = 0; j < n; ++j)
            i.inertia_curvature(3 * j + a, 3 * k + b) += sign * W9(j, k);
      }
    }
  }
  return i;
}

InertiaInvariants translated(const InertiaInvariants& invariants, const Vector3d& offset) {
  InertiaInvariants i = invariants;
  const Matrix3d d = cross_matrix(offset);
  const Matrix3d S = cross_matrix(invariants.first_moment);
  i.first_moment += invariants.mass * offset;
  i.rotation += d * invariants.translation;
  i.inertia -= S * d + d * S + invariants.mass * d * d;
  for (Index j = 0; j < i.modes(); ++j)
    i.inertia_rate.middleCols<3>(3 * j) += d * cross_matrix(invariants.translation.col(j));
  return i;
}

InertiaInvariants rotated(const InertiaInvariants& invariants, const Matrix3d& Q) {
  InertiaInvariants i = invariants;
  const Index n = i.modes();
  // (Q a)~ = det(Q) Q a~ Q', and rotation shapes transform with det(Q) Q: they are axial vectors
  const Matrix3d axial = Q.determinant() < 0.0 ? Matrix3d(-Q) : Q;
  i.first_moment = Q * invariants.first_moment;
  i.translation = Q * invariants.translation;
  i.rotation = axial * invariants.rotation;
  i.translation_rate = axial * invariants.translation_rate;
  i.inertia = Q * invariants.inertia * Q.transpose();
  for (Index j = 0; j < n; ++j) {
    i.inertia_rate.middleCols<3>(3 * j) =
        Q * invariants.inertia_rate.middleCols<3>(3 * j) * Q.transpose();
    for (Index k = 0; k < n; ++k)
      i.inertia_curvature.block<3, 3>(3 * j, 3 * k) =
          Q * invariants.inertia_curvature.block<3, 3>(3 * j, 3 * k) * Q.transpose();
  }
  return i;
}

InertiaInvariants in_basis(const InertiaInvariants& invariants,
                           const Eigen::Ref<const MatrixXd>& T) {
  const Index n = invariants.modes();
  const Index nt = T.cols();
  if (T.rows() != n)
    throw ModelError("invariant-size", fmt::format("a basis of {} rows for {} modes", T.rows(), n));
  InertiaInvariants i = zero_invariants(nt);
  i.mass = invariants.mass;
  i.first_moment = invariants.first_moment;
  i.inertia = invariants.inertia;
  i.translation = invariants.translation * T;
  i.rotation = invariants.rotation * T;
  i.modal = T.transpose() * invariants.modal * T;
  if (n == 0) return i;
  using Strided = Eigen::Map<const MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  for (Index a = 0; a < 3; ++a) {
    // row a of 5 is the matrix F(j, k) at column n j + k
    const Strided F(invariants.translation_rate.data() + a, n, n, {3, 3 * n});
    const MatrixXd turned = T.transpose() * F * T;
    for (Index j = 0; j < nt; ++j)
      i.translation_rate.row(a).segment(nt * j, nt) = turned.row(j);
    for (Index b = 0; b < 3; ++b) {
      for (Index j = 0; j < nt; ++j) {
        double sum = 0.0;
        for (Index l = 0; l < n; ++l)
          sum += invariants.inertia_rate(a, 3 * l + b) * T(l, j);
        i.inertia_rate(a, 3 * j + b) = sum;
      }
      const Strided H(invariants.inertia_curvature.data() + a + 3 * n * b, n, n, {9 * n, 3});
      const MatrixXd bent = T.transpose() * H * T;
      for (Index k = 0; k < nt; ++k)
        for (Index j = 0; j < nt; ++j)
          i.inertia_curvature(3 * j + a, 3 * k + b) = bent(j, k);
    }
  }
  return i;
}

std::vector<SumRule> sum_rules(const InertiaInvariants& i, bool has_rotary_inertia) {
  const Index n = i.modes();
  double antisymmetric = 0.0;
  double transposed = 0.0;
  double crossed = 0.0;
  double traced = 0.0;
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < n; ++k) {
      const Vector3d f = i.translation_rate.col(n * j + k);
      const Matrix3d h = i.inertia_curvature.block<3, 3>(3 * j, 3 * k);
      const Matrix3d h_kj = i.inertia_curvature.block<3, 3>(3 * k, 3 * j);
      antisymmetric = std::max(antisymmetric, largest(f + i.translation_rate.col(n * k + j)));
      transposed = std::max(transposed, largest(h - h_kj.transpose()));
      crossed = std::max(crossed, largest(h - h.transpose() - cross_matrix(f)));
      traced = std::max(traced, std::abs(h.trace() + 2.0 * i.modal(j, k)));
    }
  }
  // all entries of 5 and 9 are products of phi with phi, so one scale serves both
  const double scale = std::max(largest(i.inertia_curvature), largest(i.translation_rate));
  std::vector<SumRule> rules{
      {"7 is symmetric", ratio(largest(i.inertia - i.inertia.transpose()), largest(i.inertia))},
      {"6 is symmetric", ratio(largest(i.modal - i.modal.transpose()), largest(i.modal))},
      {"5 is antisymmetric in its modes", ratio(antisymmetric, scale)},
      {"block (k, j) of 9 is block (j, k) transposed", ratio(transposed, scale)},
      {"antisymmetric part of 9 is half of 5", ratio(crossed, scale)}};
  if (!has_rotary_inertia)
    rules.push_back(
        {"trace of 9 is minus twice 6", ratio(traced, std::max(scale, largest(i.modal)))});
  return rules;
}

MatrixXd rigid_flexible_mass(const InertiaInvariants& i) {
  const Index n = i.modes();
  MatrixXd m = MatrixXd::Zero(6 + n, 6 + n);
  m.topLeftCorner<3, 3>().diagonal().setConstant(i.mass);
  m.block<3, 3>(3, 0) = cross_matrix(i.first_moment);
  m.block<3, 3>(0, 3) = cross_matrix(i.first_moment).transpose();
  m.block<3, 3>(3, 3) = i.inertia;
  m.block(0, 6, 3, n) = i.translation;
  m.block(3, 6, 3, n) = i.rotation;
  m.block(6, 0, n, 3) = i.translation.transpose();
  m.block(6, 3, n, 3) = i.rotation.transpose();
  m.bottomRightCorner(n, n) = i.modal;
  return m;
}

double smallest_scaled_mass(const InertiaInvariants& invariants, const std::vector<bool>& acting) {
  MatrixXd m = rigid_flexible_mass(invariants);
  // a line of point masses has no inertia about itself: rows of zero inertia are left out
  std::vector<Index> rows;
  for (Index k = 0; k < m.rows(); ++k) {
    const bool counts =
        k < 6 ? m(k, k) > 0.0 : acting.empty() || acting[static_cast<std::size_t>(k - 6)];
    if (counts) rows.push_back(k);
  }
  m = MatrixXd(m(rows, rows));
  if (m.rows() == 0 || m.diagonal().minCoeff() <= 0.0) return 0.0;
  const Eigen::VectorXd scale = m.diagonal().cwiseSqrt().cwiseInverse();
  m = scale.asDiagonal() * m * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace femflex
