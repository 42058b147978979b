// BoxLattice: springs between the points of a box, as matrices whose eigenvalues have a closed
// form.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "femflex/fe_model.h"
#include "femflex/sparse.h"

#include "solve/spline_eigenvalues.h"

namespace femflex::modal {

/// Unit masses on the points of a box, unit springs between neighbours along each axis, from the
/// outer ones also to walls if `held`, except along an axis of one point. An axis of n points has
/// the eigenvalues 4 sin(t / 2)^2, t = k pi / (n + 1) for k from 1 if held, else t = k pi / n for k
/// from 0; those of the box are sums of them.
struct BoxLattice {
  BoxLattice(std::array<std::int32_t, 3> points, bool held) : points_(points), held_(held) {
    const std::int32_t n = points[0] * points[1] * points[2];
    std::vector<double> diagonal(static_cast<std::size_t>(n), 0.0);
    std::vector<Eigen::Triplet<double>> entries;
    const std::array<std::int32_t, 3> step{1, points[0], points[0] * points[1]};
    for (std::int32_t i = 0; i < n; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int32_t place = i / step[axis] % points[axis];
        const bool is_last = place + 1 == points[axis];
        if (!is_last) entries.emplace_back(i + step[axis], i, -1.0);
        const bool has_walls = held && points[axis] > 1;
        const int springs = (place > 0 || has_walls ? 1 : 0) + (!is_last || has_walls ? 1 : 0);
        diagonal[static_cast<std::size_t>(i)] += springs;
      }
    for (std::int32_t i = 0; i < n; ++i)
      entries.emplace_back(i, i, diagonal[static_cast<std::size_t>(i)]);
    K.resize(n, n);
    K.setFromTriplets(entries.begin(), entries.end());
    M.resize(n, n);
    M.setIdentity();
    group.resize(static_cast<std::size_t>(n));
    std::iota(group.begin(), group.end(), 0);
  }

  /// Three DOFs at each point instead of one: K (x) S and M (x) 1, whose eigenvalues are those of
  /// the lattice times those of S.
  void couple_directions(const Eigen::Matrix3d& S) {
    const Eigen::Index n = K.rows();
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index j = 0; j < n; ++j)
      for (SparseMatrix::InnerIterator it(K, j); it; ++it)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < (it.row() == j ? a + 1 : 3); ++b)
            entries.emplace_back(3 * it.row() + a, 3 * j + b, it.value() * S(a, b));
    K.resize(3 * n, 3 * n);
    K.setFromTriplets(entries.begin(), entries.end());
    M.resize(3 * n, 3 * n);
    M.setIdentity();
    group.resize(static_cast<std::size_t>(3 * n));
    for (std::size_t i = 0; i < group.size(); ++i)
      group[i] = static_cast<std::int32_t>(i / 3);
    factors_ = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(S).eigenvalues();
  }

  /// All eigenvalues in ascending order.
  std::vector<double> eigenvalues() const {
    std::array<std::vector<double>, 3> along;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::int32_t k = 0; k < points_[axis]; ++k) {
        const double t = held_ && points_[axis] > 1
                             ? (k + 1) * std::numbers::pi / (points_[axis] + 1)
                             : k * std::numbers::pi / points_[axis];
        along[axis].push_back(4.0 * std::sin(0.5 * t) * std::sin(0.5 * t));
      }
    std::vector<double> out;
    for (const double a : along[0])
      for (const double b : along[1])
        for (const double c : along[2])
          for (const double s : factors_)
            out.push_back(s * (a + b + c));
    std::sort(out.begin(), out.end());
    return out;
  }

  /// The points lie at unit distances and move along x, or along x, y and z.
  UnknownPlaces places() const {
    UnknownPlaces out;
    const Eigen::Index n = K.rows();
    const bool is_scalar = factors_.size() == 1;
    out.positions.resize(3, n);
    out.components.resize(static_cast<std::size_t>(n));
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto point = static_cast<std::int32_t>(is_scalar ? i : i / 3);
      const std::int32_t x = point % points_[0], y = point / points_[0] % points_[1];
      const std::int32_t z = point / points_[0] / points_[1];
      out.positions.col(i) = Eigen::Vector3i(x, y, z).cast<double>();
      out.components[static_cast<std::size_t>(i)] =
          static_cast<std::int8_t>(is_scalar ? 1 : 1 + i % 3);
    }
    return out;
  }

  /// As a model of nodes with three DOFs each, in m, kg, s.
  FeModel model() const {
    FeModel out;
    out.units = Units{};
    const UnknownPlaces where = places();
    std::vector<Dof> rows;
    for (Eigen::Index i = 0; i < K.rows(); ++i) {
      const std::int64_t node = i / 3 + 1;
      if (i % 3 == 0) out.nodes.push_back({node, where.positions.col(i), 0});
      rows.push_back({node, where.components[static_cast<std::size_t>(i)]});
    }
    out.dofs = DofMap(std::move(rows));
    out.stiffness = K;
    out.mass = M;
    return make_fe_model(std::move(out));
  }

  SparseMatrix K, M;
  std::vector<std::int32_t> group;

 private:
  std::array<std::int32_t, 3> points_;
  bool held_;
  Eigen::VectorXd factors_ = Eigen::VectorXd::Ones(1);
};

}  // namespace femflex::modal
