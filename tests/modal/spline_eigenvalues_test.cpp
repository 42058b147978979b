// Tests the bounds of eigenvalues from smooth motions, and the shift above the wanted modes that is
// chosen with them. Truth: the closed form of springs between the points of a box.
#include "solve/spline_eigenvalues.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/progress.h"

#include "box_lattice.h"
#include "solve/block_davidson.h"
#include "solve/projection.h"
#include "solve/shift_above.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

const Eigen::Matrix3d kDirections{{2.0, 0.3, 0.2}, {0.3, 1.7, 0.1}, {0.2, 0.1, 1.5}};

// the share of the diagonal that is added to keep splines apart
constexpr double kApart = 1e-9;

std::optional<Eigen::VectorXd> bounds_of(const BoxLattice& box,
                                         std::int64_t count,
                                         int threads = 1) {
  return spline_eigenvalues(box.K, box.M, box.places(), count, threads);
}

/// Number of eigenvalues below a limit.
std::int64_t below(const BoxLattice& box, double limit) {
  std::int64_t out = 0;
  for (const double lambda : box.eigenvalues())
    out += lambda < limit ? 1 : 0;
  return out;
}

TEST(SplineEigenvalues, AreCloseUpperBoundsOfTheClosedForm) {
  for (const bool held : {true, false}) {
    SCOPED_TRACE(held);
    BoxLattice box({24, 17, 12}, held);
    box.couple_directions(kDirections);
    const auto bounds = bounds_of(box, 25);
    ASSERT_TRUE(bounds);
    ASSERT_EQ(bounds->size(), 25);
    const std::vector<double> exact = box.eigenvalues();
    for (std::size_t j = held ? 0 : 3; j < 25; ++j) {
      const double bound = (*bounds)(static_cast<Eigen::Index>(j));
      EXPECT_GE(bound, exact[j] * (1.0 - kApart)) << j;
      // held, motions jump by one point beside the walls, where splines are not zero
      EXPECT_LE(bound, exact[j] * (held ? 1.1 : 1.03)) << j;
    }
    if (!held) {
      EXPECT_LT(std::abs((*bounds)(2)), 1e-6 * exact[3]);
    }
  }
}

TEST(SplineEigenvalues, ThreadsDoNotChangeTheBits) {
  const BoxLattice box({15, 13, 11}, true);
  EXPECT_TRUE(*bounds_of(box, 12) == *bounds_of(box, 12, 2));
}

// A few rotations and scalar points have motions of their own; many, or no places, give no bounds.
TEST(SplineEigenvalues, OtherUnknownsMoveByThemselves) {
  const BoxLattice box({15, 13, 11}, true);
  UnknownPlaces places = box.places();
  for (std::size_t i = 0; i < 40; ++i)
    places.components[50 * i] = i % 2 == 0 ? 0 : 5;
  const auto bounds = spline_eigenvalues(box.K, box.M, places, 12, 1);
  ASSERT_TRUE(bounds);
  const std::vector<double> exact = box.eigenvalues();
  for (std::size_t j = 0; j < 12; ++j) {
    EXPECT_GE((*bounds)(static_cast<Eigen::Index>(j)), exact[j] * (1.0 - kApart)) << j;
    EXPECT_LE((*bounds)(static_cast<Eigen::Index>(j)), exact[j] * 1.3) << j;
  }
  std::fill(places.components.begin(), places.components.begin() + 100, std::int8_t{4});
  EXPECT_FALSE(spline_eigenvalues(box.K, box.M, places, 12, 1));
  places = box.places();
  places.positions.setZero();
  EXPECT_FALSE(spline_eigenvalues(box.K, box.M, places, 12, 1));
}

// A plane of nodes has two equal layers of splines; unknowns without mass follow statically.
TEST(SplineEigenvalues, PlanesAndUnknownsWithoutMassAreBoundedAsWell) {
  const BoxLattice plane({40, 30, 1}, true);
  const auto bounds = bounds_of(plane, 8);
  ASSERT_TRUE(bounds);
  const std::vector<double> exact = plane.eigenvalues();
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_GE((*bounds)(static_cast<Eigen::Index>(j)), exact[j] * (1.0 - kApart)) << j;
    EXPECT_LE((*bounds)(static_cast<Eigen::Index>(j)), exact[j] * 1.1) << j;
  }
  // free, with rotations that have stiffness against the motion of one point, and no mass
  BoxLattice box({12, 11, 10}, false);
  const Eigen::Index n = box.K.rows();
  UnknownPlaces places = box.places();
  box.K.conservativeResize(n + 3, n + 3);
  box.M.conservativeResize(n + 3, n + 3);
  places.positions.conservativeResize(3, n + 3);
  places.positions.rightCols(3).setZero();
  for (Eigen::Index k = n; k < n + 3; ++k) {
    places.components.push_back(4);
    box.K.coeffRef(k, k) = 1.0;
    box.K.coeffRef(k, 5) = -1.0;
    box.K.coeffRef(5, 5) += 1.0;
  }
  const auto free = spline_eigenvalues(box.K, box.M, places, 4, 1);
  ASSERT_TRUE(free);
  EXPECT_LT(std::abs((*free)(0)), 1e-6 * (*free)(1));
  EXPECT_LE((*free)(3), box.eigenvalues()[3] * 1.1);
}

TEST(SplineEigenvalues, AFewMotionsDoNotBoundManyEigenvalues) {
  const BoxLattice box({4, 3, 3}, true);
  EXPECT_FALSE(bounds_of(box, 500));
}

// One factor above the wanted pairs counts them and serves the search, also where the bounds are so
// high that a second one has to be tried.
TEST(ShiftAbove, OneFactorCountsAndFinds) {
  BoxLattice box({15, 13, 11}, true);
  box.couple_directions(kDirections);
  const std::vector<double> exact = box.eigenvalues();
  const Eigen::MatrixXd none(box.K.rows(), 0);
  for (const double high : {1.0, 1.15, 1.4}) {
    SCOPED_TRACE(high);
    ShiftedFactor factor(box.K, box.M, box.group, {});
    const Eigen::VectorXd bounds = high * *bounds_of(box, 30);
    const std::optional<std::int64_t> count = factor_above(factor, bounds, 14, 0);
    ASSERT_TRUE(count);
    EXPECT_GE(*count, 14);
    EXPECT_LE(*count, 22);
    EXPECT_EQ(*count, below(box, factor.sigma()));
    DavidsonOptions davidson;
    davidson.needs_next = false;
    const RitzPairs pairs = block_davidson(factor, *count, none, davidson, no_progress());
    ASSERT_TRUE(pairs.converged);
    for (std::int64_t j = 0; j < *count; ++j) {
      const double lambda = exact[static_cast<std::size_t>(j)];
      EXPECT_NEAR(pairs.lambda(j), lambda, tolerance(1e-12) * lambda) << j;
    }
  }
}

TEST(ShiftAbove, FewerBoundsThanWantedPairsGiveNoFactor) {
  const BoxLattice box({15, 13, 11}, true);
  ShiftedFactor factor(box.K, box.M, box.group, {});
  EXPECT_FALSE(factor_above(factor, *bounds_of(box, 14), 14, 0));
}

// Bounds so high that they say nothing: the number of eigenvalues that the factor counts leads to a
// second shift.
TEST(ShiftAbove, BoundsFarTooHighAreCorrectedByTheCount) {
  const BoxLattice box({15, 13, 11}, true);
  ShiftedFactor factor(box.K, box.M, box.group, {});
  const Eigen::VectorXd bounds = Eigen::VectorXd::LinSpaced(20, 8.0, 9.0);
  const std::optional<std::int64_t> count = factor_above(factor, bounds, 14, 0);
  ASSERT_TRUE(count);
  EXPECT_LE(*count, 22);
  EXPECT_EQ(*count, below(box, factor.sigma()));
}

// The shift may come to lie among the wanted pairs, where it serves the search as well.
TEST(ShiftAbove, AShiftAmongTheWantedPairsFindsThemAll) {
  const BoxLattice box({15, 13, 11}, true);
  const std::vector<double> exact = box.eigenvalues();
  ShiftedFactor factor(box.K, box.M, box.group, {});
  ASSERT_TRUE(factor.at_in_single(0.5 * (exact[6] + exact[7])));
  EXPECT_EQ(factor.inertia().negative, 7);
  const Eigen::MatrixXd none(box.K.rows(), 0);
  const RitzPairs pairs = block_davidson(factor, 20, none, {}, no_progress());
  ASSERT_TRUE(pairs.converged);
  for (Eigen::Index j = 0; j < 20; ++j)
    EXPECT_NEAR(pairs.lambda(j), exact[static_cast<std::size_t>(j)], tolerance(1e-12)) << j;
}

}  // namespace
}  // namespace femflex::modal
