// Tests the search for modes with a factor in single precision. Truth: the closed form of springs
// between the points of a box, and the Lanczos method with an exact factor.
#include "solve/block_davidson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "femflex/progress.h"

#include "solve/block_lanczos.h"
#include "solve/normal_modes.h"
#include "solve/projection.h"
#include "solve/shifted_factor.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

/// Unit masses on the points of a box, unit springs between neighbours along each axis, from the
/// outer ones also to walls if `held`, except along an axis of one point. An axis of n points has
/// the eigenvalues 4 sin(t / 2)^2, t = k pi / (n
/// + 1) for k from 1 if held, else t = k pi / n for k from 0; those of the box are sums of them.
struct Lattice {
  Lattice(std::array<std::int32_t, 3> points, bool held) : points_(points), held_(held) {
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

  SparseMatrix K, M;
  std::vector<std::int32_t> group;

 private:
  std::array<std::int32_t, 3> points_;
  bool held_;
  Eigen::VectorXd factors_ = Eigen::VectorXd::Ones(1);
};

/// The pairs that the Davidson method finds with a factor in single precision.
RitzPairs rough_pairs(const Lattice& lattice,
                      std::int64_t count,
                      const Eigen::MatrixXd& locked,
                      int threads = 1) {
  SolveOptions options;
  options.backend = Backend::supernodal;
  options.threads = threads;
  ShiftedFactor factor(lattice.K, lattice.M, lattice.group, options);
  EXPECT_TRUE(factor.at_single_shift());
  return block_davidson(factor, count, locked, {}, no_progress());
}

/// Compares pairs with the closed form, from eigenvalue `first` on, and checks that they are
/// orthonormal.
void expect_pairs(const RitzPairs& found, const Lattice& lattice, std::size_t first) {
  ASSERT_TRUE(found.converged);
  const std::vector<double> exact = lattice.eigenvalues();
  for (Eigen::Index j = 0; j < found.lambda.size(); ++j) {
    const double lambda = exact[first + static_cast<std::size_t>(j)];
    EXPECT_NEAR(found.lambda(j), lambda, tolerance(1e-12) * lambda) << j;
    const Eigen::VectorXd x = found.X.col(j);
    const Eigen::VectorXd Kx = symmetric_product(lattice.K, x);
    EXPECT_LT((Kx - lambda * x).norm(), 1e-9 * Kx.norm()) << j;
  }
  const Eigen::MatrixXd gram = found.X.transpose() * found.X;
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).norm(), tolerance(1e-12));
  const double next = exact[first + static_cast<std::size_t>(found.lambda.size())];
  EXPECT_LE(found.next_above, next * (1.0 + 1e-3));
}

TEST(BlockDavidson, PairsFromAFactorInSinglePrecisionAreThoseOfTheClosedForm) {
  const Lattice held({15, 13, 11}, true);
  const Eigen::MatrixXd none(held.K.rows(), 0);
  for (const std::int64_t count : {1, 7, 20, 60}) {
    SCOPED_TRACE(count);
    expect_pairs(rough_pairs(held, count, none), held, 0);
  }
}

TEST(BlockDavidson, CopiesOfAMultipleEigenvalueAreAllFound) {
  const Lattice cube({12, 12, 12}, true);
  // 1, 3, 3, 1, 3, 6 copies
  expect_pairs(rough_pairs(cube, 17, Eigen::MatrixXd(cube.K.rows(), 0)), cube, 0);
}

TEST(BlockDavidson, PairsStayOrthogonalToKnownRigidMotions) {
  const Lattice free({15, 13, 11}, false);
  const Eigen::Index n = free.K.rows();
  const Eigen::MatrixXd rigid =
      Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(static_cast<double>(n)));
  const RitzPairs found = rough_pairs(free, 12, rigid);
  expect_pairs(found, free, 1);
  EXPECT_LT((rigid.transpose() * found.X).norm(), tolerance(1e-13));
}

// A motion without strain energy has no K x to which its residual could be compared.
TEST(BlockDavidson, AMotionWithoutStrainEnergyIsFoundAsWell) {
  const Lattice free({9, 8, 7}, false);
  const RitzPairs found = rough_pairs(free, 5, Eigen::MatrixXd(free.K.rows(), 0));
  ASSERT_TRUE(found.converged);
  EXPECT_NEAR(found.lambda(0), 0.0, 1e-12);
  EXPECT_NEAR(found.lambda(1), free.eigenvalues()[1], 1e-12);
}

TEST(BlockDavidson, ThreadsDoNotChangeTheBits) {
  const Lattice held({15, 13, 11}, true);
  const Eigen::MatrixXd none(held.K.rows(), 0);
  const RitzPairs one = rough_pairs(held, 20, none), two = rough_pairs(held, 20, none, 2);
  EXPECT_TRUE(one.lambda == two.lambda);
  EXPECT_TRUE(one.X == two.X);
}

// The modes of a long rod lie far below the shift that single precision needs.
TEST(BlockDavidson, ModesHiddenBehindTheShiftAreLeftToAnExactFactor) {
  const Lattice rod({40000, 1, 1}, true);
  EXPECT_FALSE(rough_pairs(rod, 6, Eigen::MatrixXd(rod.K.rows(), 0)).converged);
  SolveOptions options;
  ShiftedFactor factor(rod.K, rod.M, rod.group, options);
  const NormalModes modes = normal_modes(
      factor, Eigen::MatrixXd(rod.K.rows(), 0), {.count = 6, .limit = {}}, options, no_progress());
  EXPECT_EQ(modes.report.eigensolver, "block-lanczos");
  const std::vector<double> exact = rod.eigenvalues();
  constexpr double kRoundOff = 1e-15;  // of the entries of K, which are 1 and 2
  for (std::size_t j = 0; j < 6; ++j)
    EXPECT_NEAR(modes.lambda(static_cast<Eigen::Index>(j)), exact[j], tolerance(kRoundOff));
}

// A bulky part takes single precision by itself, with the count as its proof; with a limit of
// memory it does not.
TEST(BlockDavidson, ModesOfABulkyPartAreThoseOfAnExactFactor) {
  Lattice bulky({26, 25, 24}, true);
  bulky.couple_directions(Eigen::Matrix3d{{2.0, 0.3, 0.2}, {0.3, 1.7, 0.1}, {0.2, 0.1, 1.5}});
  const Eigen::MatrixXd none(bulky.K.rows(), 0);
  SolveOptions options;
  options.backend = Backend::supernodal;
  ShiftedFactor rough(bulky.K, bulky.M, bulky.group, options);
  const NormalModes fast =
      normal_modes(rough, none, {.count = 1, .limit = {}}, options, no_progress());
  EXPECT_EQ(fast.report.eigensolver, "block-davidson");
  EXPECT_EQ(fast.report.sturm_expected, 1);
  options.memory = 1e11;
  ShiftedFactor factor(bulky.K, bulky.M, bulky.group, options);
  const NormalModes exact =
      normal_modes(factor, none, {.count = 1, .limit = {}}, options, no_progress());
  EXPECT_EQ(exact.report.eigensolver, "block-lanczos");
  const double lambda = bulky.eigenvalues()[0];
  EXPECT_NEAR(fast.lambda(0), lambda, tolerance(1e-11) * lambda);
  EXPECT_NEAR(exact.lambda(0), lambda, tolerance(1e-11) * lambda);
  EXPECT_LE(fast.report.worst_residual, options.residual);
}

}  // namespace
}  // namespace femflex::modal
