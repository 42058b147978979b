// Tests the search for many modes in slices of the spectrum. Truth: the closed form of springs
// between the points of a box.
#include "solve/spectrum_slices.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/progress.h"

#include "box_lattice.h"
#include "solve/projection.h"
#include "solve/shifted_factor.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

/// Compares the lowest pairs found in slices with the closed form, beyond `rigid` motions.
void expect_slices(const BoxLattice& lattice,
                   const Eigen::MatrixXd& rigid,
                   std::int64_t count,
                   std::int64_t slices) {
  ShiftedFactor factor(lattice.K, lattice.M, lattice.group, {});
  ASSERT_TRUE(rigid.cols() > 0 ? factor.at_negative_shift() : factor.at(0.0));
  const RitzPairs found = spectrum_slices(factor, count, slices, rigid, {}, no_progress());
  ASSERT_TRUE(found.converged);
  ASSERT_EQ(found.lambda.size(), count);
  const std::vector<double> exact = lattice.eigenvalues();
  for (Eigen::Index j = 0; j < count; ++j) {
    const double lambda = exact[static_cast<std::size_t>(rigid.cols() + j)];
    EXPECT_NEAR(found.lambda(j), lambda, tolerance(1e-11) * lambda) << j;
  }
  Eigen::MatrixXd X(found.X.rows(), rigid.cols() + count);
  X << rigid, found.X;
  EXPECT_LT((project(lattice.M, X) - Eigen::MatrixXd::Identity(X.cols(), X.cols())).norm(),
            tolerance(1e-11));
}

TEST(SpectrumSlices, FindThePairsOfTheClosedForm) {
  const BoxLattice held({17, 13, 11}, true);
  const Eigen::MatrixXd none(held.K.rows(), 0);
  for (const std::int64_t slices : {1, 3, 5})
    expect_slices(held, none, 150, slices);
}

// Most eigenvalues of a cube come in three or six copies, which the end of a slice cuts apart.
TEST(SpectrumSlices, FindAllCopiesOfMultipleEigenvalues) {
  const BoxLattice cube({13, 13, 13}, true);
  const Eigen::MatrixXd none(cube.K.rows(), 0);
  for (const std::int64_t count : {150, 151})
    expect_slices(cube, none, count, 4);
}

TEST(SpectrumSlices, StayOrthogonalToRigidMotions) {
  const BoxLattice loose({14, 12, 11}, false);
  Eigen::MatrixXd rigid = Eigen::MatrixXd::Ones(loose.K.rows(), 1);
  rigid /= std::sqrt(project(loose.M, rigid)(0, 0));
  expect_slices(loose, rigid, 120, 3);
}

}  // namespace
}  // namespace femflex::modal
