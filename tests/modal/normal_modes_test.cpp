// Tests normal modes against closed forms, published tables, residuals and second algorithms.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"

#include "problems.h"
#include "solve/exact_product.h"
#include "solve/feedback_rounding.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::beam;
using testing::brick_block;
using testing::copies;
using testing::plate;
using testing::tolerance;

ComputedModes lowest(const FeModel& model, std::int64_t count, SolveOptions solve = {}) {
  ModeRequest request;
  request.normal = count;
  request.solve = solve;
  Diagnostics diagnostics;
  return compute_modes(model, request, diagnostics);
}

double lambda(const ComputedModes& modes, std::size_t k) {
  return modes.modes.modes[k].eigenvalue;
}

/// |Phi' M Phi - 1|, largest entry.
double orthogonality_error(const FeModel& model, const ComputedModes& modes) {
  const Eigen::MatrixXd m = project(*model.mass, modes.modes.shapes);
  return (m - Eigen::MatrixXd::Identity(m.rows(), m.cols())).cwiseAbs().maxCoeff();
}

// Blevins' table: (beta L) of a clamped-free beam; cubic elements, so frequencies converge with
// h^4.
TEST(NormalModes, BeamFrequenciesConvergeWithTheFourthOrder) {
  constexpr double beta[] = {1.875104068712, 4.694091132974, 7.854757438238, 10.99554073488};
  for (std::size_t k = 0; k < 4; ++k) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const ComputedModes modes = lowest(beam(level == 0 ? 12 : 24, "cf"), 4);
      error[level] = std::sqrt(lambda(modes, k)) / (beta[k] * beta[k]) - 1.0;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.15) << "mode " << k + 1;
    EXPECT_LT(error[1], 1e-4);
  }
}

// Same table, free-free: two rigid motions of the plane first, exact.
TEST(NormalModes, FreeBeamHasExactRigidModesFirst) {
  const FeModel model = beam(200, "ff");
  const ComputedModes modes = lowest(model, 6);
  EXPECT_EQ(modes.report.rigid_modes, 2);
  EXPECT_EQ(lambda(modes, 0), 0.0);
  EXPECT_EQ(lambda(modes, 1), 0.0);
  constexpr double beta[] = {4.730040744863, 7.853204624096, 10.995607838, 14.13716549126};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(std::pow(lambda(modes, k + 2), 0.25), beta[k], tolerance(1e-5));
  EXPECT_LT(orthogonality_error(model, modes), tolerance(1e-10));
}

// Exact: pi^2 (m^2 + n^2), with double values where m and n differ; cubic elements: fourth order.
TEST(NormalModes, SquarePlateKeepsItsDoubleFrequenciesAndConvergesWithTheFourthOrder) {
  constexpr double sums[] = {2, 5, 5, 8, 10, 10, 13, 13, 17, 17, 18};
  const double pi2 = std::numbers::pi * std::numbers::pi;
  const FeModel model = plate(16, 's');
  const ComputedModes modes = lowest(model, 11);
  const ComputedModes coarse = lowest(plate(8, 's'), 11);
  for (std::size_t k = 0; k < 11; ++k) {
    const double error = std::sqrt(lambda(modes, k)) / (pi2 * sums[k]) - 1.0;
    const double coarse_error = std::sqrt(lambda(coarse, k)) / (pi2 * sums[k]) - 1.0;
    EXPECT_LT(error, 3e-4) << k;
    EXPECT_NEAR(std::log2(coarse_error / error), 4.0, 0.3) << k;
  }
  EXPECT_EQ(modes.report.sturm_expected, 11);
  EXPECT_LT(modes.report.worst_residual, tolerance(1e-8));
  EXPECT_LT(orthogonality_error(model, modes), tolerance(1e-10));
}

// Published tables: clamped and free square plates, nu = 0.3.
TEST(NormalModes, PlateTablesAreMet) {
  const ComputedModes clamped = lowest(plate(20, 'c'), 5);
  constexpr double cccc[] = {35.98519, 73.39385, 73.39385, 108.2165, 131.5808};
  const ComputedModes free = lowest(plate(16, 'f'), 8);
  constexpr double ffff[] = {13.4682, 19.59614, 24.2702, 34.80089, 34.80089};
  EXPECT_EQ(lambda(free, 2) < 1e-6 * lambda(free, 3), true);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(std::sqrt(lambda(clamped, k)) / cccc[k], 1.0, tolerance(1e-4)) << k;
    EXPECT_NEAR(std::sqrt(lambda(free, k + 3)) / ffff[k], 1.0, tolerance(1e-4)) << k;
  }
}

// Twelve equal beams, not coupled: every eigenvalue twelve-fold, more than a block holds. The count
// of negative pivots is the truth.
TEST(NormalModes, MultipleEigenvaluesComeWithAllTheirCopies) {
  const FeModel model = copies(beam(30, "cf"), 12);
  const ComputedModes modes = lowest(model, 36);
  const ComputedModes one = lowest(beam(30, "cf"), 3);
  for (std::size_t k = 0; k < 36; ++k)
    EXPECT_NEAR(lambda(modes, k) / lambda(one, k / 12), 1.0, tolerance(1e-9)) << k;
  EXPECT_EQ(modes.report.sturm_expected, 36);
  EXPECT_LT(orthogonality_error(model, modes), tolerance(1e-10));
  EXPECT_LT(modes.report.worst_residual, tolerance(1e-8));
}

// As many copies as take the search round after round: it goes on until the count is met.
TEST(NormalModes, AHundredCopiesAreAllFound) {
  const ComputedModes modes = lowest(copies(beam(10, "cf"), 100), 110);
  const ComputedModes one = lowest(beam(10, "cf"), 2);
  for (std::size_t k = 0; k < 110; ++k)
    EXPECT_NEAR(lambda(modes, k) / lambda(one, k / 100), 1.0, tolerance(1e-9)) << k;
}

// Up to a frequency as well, where the number of modes below it was counted before: the search may
// find modes above it before all copies.
TEST(NormalModes, CopiesBelowAFrequencyAreAllFound) {
  constexpr double first = 1.8751040687 * 1.8751040687;
  for (const int count : {4, 5, 8, 10, 16, 20}) {
    const FeModel model = copies(beam(10, "cf"), count);
    ModeRequest request;
    request.fmax_hz = 1.01 * first / (2.0 * std::numbers::pi);
    Diagnostics diagnostics;
    const ComputedModes modes = compute_modes(model, request, diagnostics);
    ASSERT_EQ(modes.modes.count(), count);
    EXPECT_EQ(modes.report.sturm_expected, count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      EXPECT_NEAR(std::sqrt(lambda(modes, k)) / first, 1.0, tolerance(1e-4)) << count;
  }
}

// A band that starts above zero: the modes in it and no other, with clusters at either end.
TEST(NormalModes, ABandHoldsItsModesAndNoOther) {
  const FeModel model = copies(beam(12, "cf"), 6);
  const ComputedModes all = lowest(model, 24);
  const auto hz = [&](std::size_t k) {
    return std::sqrt(lambda(all, k)) / (2.0 * std::numbers::pi);
  };
  ModeRequest request;
  request.fmin_hz = 0.99 * hz(6);
  request.fmax_hz = 1.01 * hz(17);
  Diagnostics diagnostics;
  const ComputedModes band = compute_modes(model, request, diagnostics);
  ASSERT_EQ(band.modes.count(), 12);
  for (std::size_t k = 0; k < 12; ++k)
    EXPECT_NEAR(lambda(band, k) / lambda(all, k + 6), 1.0, tolerance(1e-9));
  request.normal = 5;  // the first of them
  EXPECT_EQ(compute_modes(model, request, diagnostics).modes.count(), 5);
  request.fmin_hz = 1.01 * hz(17);
  request.fmax_hz = 0.99 * hz(18);
  EXPECT_THROW(compute_modes(model, request, diagnostics), UsageError);
}

// Fine meshes, where round-off of K x is large in comparison with the gap between copies.
TEST(NormalModes, CopiesOnAFineMeshStayOrthogonal) {
  for (const int elements : {60, 150}) {
    const FeModel model = copies(beam(elements, "cf"), 3);
    for (const std::int64_t count : {2, 6, 20})
      EXPECT_LT(orthogonality_error(model, lowest(model, count)), tolerance(1e-10))
          << elements << ", " << count;
  }
}

// A cluster cut in two by the number of modes requested: seven of twelve copies.
TEST(NormalModes, AClusterMayBeCutByTheNumberAskedFor) {
  const ComputedModes modes = lowest(copies(beam(30, "cf"), 12), 19);
  EXPECT_EQ(modes.modes.count(), 19);
  EXPECT_NEAR(lambda(modes, 18) / lambda(modes, 12), 1.0, tolerance(1e-9));
}

// Spectra, a second algorithm, over each factorisation built in.
TEST(NormalModes, EveryBackendAndSpectraAgree) {
  const FeModel model = brick_block(12, 3, 3, 1.0, 0.2, 0.15);
  const ComputedModes reference = lowest(model, 20);
  EXPECT_EQ(reference.report.rigid_modes, 6);
  EXPECT_EQ(reference.report.sturm_expected, 20);
  EXPECT_LT(reference.report.worst_residual, tolerance(1e-8));
  EXPECT_LT(orthogonality_error(model, reference), tolerance(1e-10));
  for (const std::string& name : backend_names())
    for (const Eigensolver solver : {Eigensolver::block_lanczos, Eigensolver::spectra}) {
      SolveOptions solve;
      solve.backend = parse_backend(name);
      solve.eigensolver = solver;
      const ComputedModes modes = lowest(model, 20, solve);
      for (std::size_t k = 6; k < 20; ++k)
        EXPECT_NEAR(lambda(modes, k) / lambda(reference, k), 1.0, tolerance(1e-8))
            << name << " mode " << k + 1;
    }
}

// All modes below a frequency: as many as the inertia count says, and no other.
TEST(NormalModes, AllModesBelowAFrequencyAreFound) {
  const FeModel model = plate(16, 's');
  ModeRequest request;
  const double pi2 = std::numbers::pi * std::numbers::pi;
  request.fmax_hz = 15.0 * pi2 / (2.0 * std::numbers::pi);
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  EXPECT_EQ(modes.modes.count(), 8);  // 2 5 5 8 10 10 13 13
}

// Masses at three nodes of sixty: three modes exist, and the request for a fourth reports this.
TEST(NormalModes, MasslessDofsAreCondensedAndCountTheModes) {
  FeModel model = beam(60, "cf");
  model.mass = assemble(
      model.dofs.size(), model.dofs.size(), {{40, 40, 1.0}, {80, 80, 1.0}, {120, 120, 1.0}});
  ModeRequest request;
  request.normal = 3;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_EQ(diagnostics.warnings()[0].code, "massless-dofs");
  // flexibility of a cantilever at the masses: w(x, a) = a^2 (3 x - a) / 6 for x >= a
  Eigen::Matrix3d F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double a = (std::min(i, j) + 1) / 3.0;
      const double x = (std::max(i, j) + 1) / 3.0;
      F(i, j) = a * a * (3 * x - a) / 6;
    }
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(
        (F * lambda(modes, k) - Eigen::Matrix3d::Identity()).determinant(), 0.0, tolerance(1e-7))
        << k;
  request.normal = 4;
  EXPECT_THROW(compute_modes(model, request, diagnostics), ModelError);
}

// A mass at the end of a rigid arm d beyond the tip: M has entries for two DOFs but rank one.
// Closed form: 1 / lambda = L^3 / 3 + L^2 d + L d^2, the flexibility of a cantilever at the mass.
TEST(NormalModes, AnOffsetMassHasOneModeAlthoughItTouchesTwoDofs) {
  constexpr double d = 0.4;
  FeModel model = beam(40, "cf");
  const std::int64_t tip = model.dofs.find({41, 2});
  model.mass = assemble(model.dofs.size(),
                        model.dofs.size(),
                        {{tip, tip, 1.0}, {tip + 1, tip, d}, {tip + 1, tip + 1, d * d}});
  ModeRequest request;
  request.all = true;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  ASSERT_EQ(modes.modes.count(), 1);
  EXPECT_NEAR(lambda(modes, 0) * (1.0 / 3 + d + d * d), 1.0, tolerance(1e-9));
  request.all = false;
  request.normal = 2;
  EXPECT_THROW(compute_modes(model, request, diagnostics), ModelError);
}

// 1e16 + 1 - 1e16: doubles lose the one. The same by the lower triangle, by columns, and under b.
TEST(ExactProduct, KeepsWhatDoublesLoseInCancellation) {
  const SparseMatrix A =
      assemble(3, 3, {{0, 0, 1e16}, {1, 0, 1.0}, {2, 0, 1e16}, {1, 1, 3.0}, {2, 2, 1e-3}});
  Eigen::MatrixXd x(3, 10);
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(3, 10);
  for (Eigen::Index c = 0; c < 10; ++c) {
    x.col(c) = Eigen::Vector3d(1.0, 1.0 + static_cast<double>(c), -1.0);
    b(2, c) = 1e16;
  }
  const Eigen::MatrixXd y = exact_difference(A, x, b);
  for (Eigen::Index c = 0; c < 10; ++c) {
    EXPECT_EQ(y(0, c), 1.0 + static_cast<double>(c));
    EXPECT_EQ(y(1, c), 4.0 + 3.0 * static_cast<double>(c));
    EXPECT_EQ(y(2, c), -1e-3);
  }
}

// Truth: integers of 128 bits. Columns of either half of the matrix add to the same rows.
TEST(ExactProduct, EqualsIntegerArithmeticOnOneThreadAndOnTwo) {
  constexpr Eigen::Index n = 40, columns = 11;
  __extension__ using Wide = __int128;
  std::mt19937_64 engine(3);
  const auto any = [&](int bits) {
    return static_cast<std::int64_t>(engine() >> (64 - bits)) - (std::int64_t{1} << (bits - 1));
  };
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  std::vector<Wide> exact(n * columns, 0);
  Eigen::MatrixXd x(n, columns), b(n, columns);
  std::vector<std::int64_t> whole(n * columns);
  for (Eigen::Index i = 0; i < n * columns; ++i)
    x(i % n, i / n) = static_cast<double>(whole[static_cast<std::size_t>(i)] = any(40));
  const auto at = [](Eigen::Index i, Eigen::Index c) {
    return static_cast<std::size_t>(c * n + i);
  };
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = j; i < n; ++i) {
      const std::int64_t a = any(30);
      entries.emplace_back(
          static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<double>(a));
      for (Eigen::Index c = 0; c < columns; ++c) {
        exact[at(i, c)] += Wide{a} * whole[at(j, c)];
        if (i != j) exact[at(j, c)] += Wide{a} * whole[at(i, c)];
      }
    }
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  for (Eigen::Index c = 0; c < columns; ++c)
    for (Eigen::Index i = 0; i < n; ++i)
      b(i, c) = static_cast<double>(exact[at(i, c)]);
  for (const int threads : {1, 2}) {
    const Eigen::MatrixXd y = exact_difference(A, x, b, threads);
    for (Eigen::Index c = 0; c < columns; ++c)
      for (Eigen::Index i = 0; i < n; ++i)
        ASSERT_EQ(y(i, c), static_cast<double>(exact[at(i, c)] - static_cast<Wide>(b(i, c))));
  }
}

// Truth: the exact difference of what comes out. Rows of one half, and those between the halves.
TEST(FeedbackRounding, LowersTheResidualAlikeOnOneThreadAndOnTwo) {
  constexpr Eigen::Index n = 300;
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  for (std::int32_t j = 0; j < n; ++j)
    for (std::int32_t i = j; i < std::min<std::int32_t>(j + 12, n); ++i)
      entries.emplace_back(i, j, i == j ? 8.0 : any(engine));
  SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  const Eigen::MatrixXd start = Eigen::MatrixXd::NullaryExpr(n, 8, [&] { return any(engine); });
  const Eigen::MatrixXd right = K.selfadjointView<Eigen::Lower>() * start;
  const Eigen::MatrixXd before = exact_difference(K, start, right);
  std::vector<Eigen::Index> all(static_cast<std::size_t>(start.cols()));
  std::iota(all.begin(), all.end(), 0);
  Eigen::MatrixXd one;
  for (const int threads : {1, 2}) {
    Eigen::MatrixXd X = start, R = before;
    round_with_feedback(K, all, X, R, threads);
    EXPECT_LT(R.norm(), before.norm());
    EXPECT_LT((R - exact_difference(K, X, right)).norm(), tolerance(1e-6) * R.norm());
    if (threads == 1)
      one = X;
    else
      EXPECT_EQ(X, one);
  }
  // some columns: these as before, the others untouched
  Eigen::MatrixXd X = start, R = before;
  round_with_feedback(K, std::vector<Eigen::Index>{1, 6}, X, R, 2);
  Eigen::MatrixXd expected = start;
  for (const Eigen::Index c : {1, 6})
    expected.col(c) = one.col(c);
  EXPECT_EQ(X, expected);
}

// All modes of a block: as many as DOFs, the lowest those of the sparse solver.
TEST(NormalModes, AllModesAreAsManyAsTheDofsWithMass) {
  const FeModel model = brick_block(6, 2, 2, 1.0, 0.2, 0.15);
  ModeRequest request;
  request.all = true;
  Diagnostics diagnostics;
  const ComputedModes all = compute_modes(model, request, diagnostics);
  EXPECT_EQ(all.modes.count(), model.dofs.size());
  EXPECT_LT(orthogonality_error(model, all), tolerance(1e-10));
  EXPECT_LT(all.report.worst_residual, tolerance(1e-8));
  const ComputedModes few = lowest(model, 20);
  for (std::size_t k = 6; k < 20; ++k)
    EXPECT_NEAR(lambda(all, k) / lambda(few, k), 1.0, tolerance(1e-9)) << k;
}

}  // namespace
}  // namespace femflex::modal
