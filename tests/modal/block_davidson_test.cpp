// Tests the search for modes with a factor in single precision. Truth: the closed form of springs
// between the points of a box, and the Lanczos method with an exact factor.
#include "solve/block_davidson.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/frequency.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/progress.h"

#include "box_lattice.h"
#include "methods/craig_bampton.h"
#include "solve/block_lanczos.h"
#include "solve/normal_modes.h"
#include "solve/projection.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

/// The pairs that the Davidson method finds with a factor in single precision.
RitzPairs rough_pairs(const BoxLattice& lattice,
                      std::int64_t count,
                      const Eigen::MatrixXd& locked,
                      int threads = 1) {
  SolveOptions options;
  options.backend = Backend::supernodal;
  options.threads = threads;
  ShiftedFactor factor(lattice.K, lattice.M, lattice.group, options);
  EXPECT_TRUE(factor.at_single_shift());
  DavidsonOptions davidson;
  davidson.negligible = *factor.single_shift();
  return block_davidson(factor, count, locked, davidson, no_progress());
}

/// Compares pairs with the closed form, from eigenvalue `first` on, and checks that they are
/// orthonormal.
void expect_pairs(const RitzPairs& found, const BoxLattice& lattice, std::size_t first) {
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
  const BoxLattice held({15, 13, 11}, true);
  const Eigen::MatrixXd none(held.K.rows(), 0);
  for (const std::int64_t count : {1, 7, 20, 60}) {
    SCOPED_TRACE(count);
    expect_pairs(rough_pairs(held, count, none), held, 0);
  }
}

TEST(BlockDavidson, CopiesOfAMultipleEigenvalueAreAllFound) {
  const BoxLattice cube({12, 12, 12}, true);
  // 1, 3, 3, 1, 3, 6 copies
  expect_pairs(rough_pairs(cube, 17, Eigen::MatrixXd(cube.K.rows(), 0)), cube, 0);
}

TEST(BlockDavidson, PairsStayOrthogonalToKnownRigidMotions) {
  const BoxLattice free({15, 13, 11}, false);
  const Eigen::Index n = free.K.rows();
  const Eigen::MatrixXd rigid =
      Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(static_cast<double>(n)));
  const RitzPairs found = rough_pairs(free, 12, rigid);
  expect_pairs(found, free, 1);
  EXPECT_LT((rigid.transpose() * found.X).norm(), tolerance(1e-13));
}

// A motion without strain energy has no K x to which its residual could be compared.
TEST(BlockDavidson, AMotionWithoutStrainEnergyIsFoundAsWell) {
  const BoxLattice free({9, 8, 7}, false);
  const RitzPairs found = rough_pairs(free, 5, Eigen::MatrixXd(free.K.rows(), 0));
  ASSERT_TRUE(found.converged);
  EXPECT_NEAR(found.lambda(0), 0.0, 1e-12);
  EXPECT_NEAR(found.lambda(1), free.eigenvalues()[1], 1e-12);
}

TEST(BlockDavidson, ThreadsDoNotChangeTheBits) {
  const BoxLattice held({15, 13, 11}, true);
  const Eigen::MatrixXd none(held.K.rows(), 0);
  const RitzPairs one = rough_pairs(held, 20, none), two = rough_pairs(held, 20, none, 2);
  EXPECT_TRUE(one.lambda == two.lambda);
  EXPECT_TRUE(one.X == two.X);
}

// The modes of a long rod lie far below the shift that single precision needs.
TEST(BlockDavidson, ModesHiddenBehindTheShiftAreLeftToAnExactFactor) {
  const BoxLattice rod({40000, 1, 1}, true);
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

// A bulky part takes single precision by itself: with a shift below its modes and a second factor
// for the count; above its modes, where the same factor counts, if its places or a limit of
// frequency tell where that is; never with a limit of memory.
TEST(BlockDavidson, ModesOfABulkyPartAreThoseOfAnExactFactor) {
  BoxLattice bulky({26, 25, 24}, true);
  bulky.couple_directions(Eigen::Matrix3d{{2.0, 0.3, 0.2}, {0.3, 1.7, 0.1}, {0.2, 0.1, 1.5}});
  const Eigen::MatrixXd none(bulky.K.rows(), 0);
  const double lambda = bulky.eigenvalues()[0], next = bulky.eigenvalues()[1];
  const auto solve = [&](const NormalRequest& request, const SolveOptions& options) {
    ShiftedFactor factor(bulky.K, bulky.M, bulky.group, options);
    NormalModes modes = normal_modes(factor, none, request, options, no_progress());
    EXPECT_EQ(modes.report.sturm_expected, 1);
    EXPECT_EQ(modes.lambda.size(), 1);
    EXPECT_NEAR(modes.lambda(0), lambda, tolerance(1e-11) * lambda);
    EXPECT_LE(modes.report.worst_residual, options.residual);
    return std::move(modes.report);
  };
  SolveOptions options;
  options.backend = Backend::supernodal;
  const SolveReport unplaced = solve({.count = 1}, options);
  EXPECT_EQ(unplaced.eigensolver, "block-davidson");
  EXPECT_LT(unplaced.shift, 0.0);
  const SolveReport placed = solve({.count = 1, .places = [&] { return bulky.places(); }}, options);
  EXPECT_EQ(placed.eigensolver, "block-davidson");
  EXPECT_GT(placed.shift, lambda);
  const SolveReport limited = solve({.limit = 0.5 * (lambda + next)}, options);
  EXPECT_EQ(limited.eigensolver, "block-davidson");
  EXPECT_EQ(limited.shift, 0.5 * (lambda + next));
  options.memory = 1e11;
  EXPECT_EQ(solve({.count = 1}, options).eigensolver, "block-lanczos");
  // a model knows the places of its nodes
  ModeRequest request;
  request.normal = 1;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(bulky.model(), request, diagnostics);
  EXPECT_EQ(modes.report.eigensolver, "block-davidson");
  EXPECT_GT(modes.report.shift, lambda);
  EXPECT_NEAR(modes.modes.modes[0].eigenvalue, lambda, tolerance(1e-11) * lambda);
}

// The modes of a part held at its interface know the places of their nodes: with a frequency limit
// far above the wanted modes the factor of the search still lies just above them and counts them.
// Truth: an exact factor.
TEST(BlockDavidson, FixedInterfaceModesTakeTheFactorAboveThem) {
  BoxLattice bulky({29, 28, 27}, true);
  bulky.couple_directions(Eigen::Matrix3d{{2.0, 0.3, 0.2}, {0.3, 1.7, 0.1}, {0.2, 0.1, 1.5}});
  FeModel model = bulky.model();
  model.interface_nodes = {1, 29};
  model = make_fe_model(std::move(model));
  SolveOptions options;
  options.backend = Backend::supernodal;
  Diagnostics diagnostics;
  CraigBamptonSolver solver(model, options, diagnostics);
  const Partition& part = solver.parts().part;
  const std::vector<double> without = bulky.eigenvalues();  // those held are between or at these
  std::size_t wide = 30;
  for (std::size_t j = wide; j < 50; ++j)
    if (without[j + 1] - without[j] > without[wide + 1] - without[wide]) wide = j;
  const double limit = 0.5 * (without[wide] + without[wide + 1]);
  NormalModes exact;
  {
    SolveOptions lanczos = options;
    lanczos.eigensolver = Eigensolver::block_lanczos;
    ShiftedFactor factor(part.K_ii, part.M_ii, part.group_i, lanczos);
    exact = normal_modes(
        factor, Eigen::MatrixXd(part.K_ii.rows(), 0), {.count = 1}, lanczos, no_progress());
  }
  solver.find_normal_modes({.count = 1, .limit = limit}, no_progress());
  const NormalModes& found = solver.parts().normal;
  ASSERT_EQ(found.lambda.size(), 1);
  EXPECT_EQ(found.report.eigensolver, "block-davidson");
  EXPECT_GT(found.report.shift, exact.lambda(0));
  EXPECT_LT(found.report.shift, limit);
  EXPECT_NEAR(found.lambda(0), exact.lambda(0), tolerance(1e-11) * exact.lambda(0));
  const Eigen::VectorXd Mx = symmetric_product(part.M_ii, exact.X);
  EXPECT_NEAR(std::abs(found.X.col(0).dot(Mx)), 1.0, tolerance(1e-8));
}

// A frequency limit above the rigid modes of a free part counts with them.
TEST(BlockDavidson, AFrequencyLimitOfAFreePartCountsItsRigidModes) {
  BoxLattice bulky({26, 25, 24}, false);
  bulky.couple_directions(Eigen::Matrix3d{{2.0, 0.3, 0.2}, {0.3, 1.7, 0.1}, {0.2, 0.1, 1.5}});
  const std::vector<double> exact = bulky.eigenvalues();
  const FeModel model = bulky.model();
  ModeRequest request;
  request.fmax_hz = frequency_hz(0.5 * (exact[3] + exact[4]));
  request.solve.backend = Backend::supernodal;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  EXPECT_EQ(modes.report.eigensolver, "block-davidson");
  EXPECT_EQ(modes.report.rigid_modes, 3);  // no spring resists translations
  EXPECT_EQ(modes.report.sturm_expected, 4);
  ASSERT_EQ(modes.modes.modes.size(), 4U);
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(modes.modes.modes[j].eigenvalue, exact[j], tolerance(1e-11) * exact[3]) << j;
}

// Equal directions make every eigenvalue threefold. The factor of the search counts all copies of
// the wanted one, and all are searched for, but only those that were asked for are given.
TEST(BlockDavidson, CopiesBeyondTheWantedModesAreCountedAndLeftOut) {
  BoxLattice bulky({26, 25, 24}, true);
  bulky.couple_directions(Eigen::Matrix3d::Identity());
  const double lambda = bulky.eigenvalues()[0];
  SolveOptions options;
  options.backend = Backend::supernodal;
  ShiftedFactor factor(bulky.K, bulky.M, bulky.group, options);
  const NormalModes modes = normal_modes(factor,
                                         Eigen::MatrixXd(bulky.K.rows(), 0),
                                         {.count = 1, .places = [&] { return bulky.places(); }},
                                         options,
                                         no_progress());
  EXPECT_EQ(modes.report.eigensolver, "block-davidson");
  EXPECT_GT(modes.report.shift, lambda);
  EXPECT_EQ(modes.report.sturm_expected, 1);
  ASSERT_EQ(modes.lambda.size(), 1);
  EXPECT_NEAR(modes.lambda(0), lambda, tolerance(1e-11) * lambda);
}

}  // namespace
}  // namespace femflex::modal
