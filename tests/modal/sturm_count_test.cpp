// Tests eigenvalue counts by a factorisation that is too inaccurate for solutions, and any number
// of modes of a small model. Truth: the closed form of a chain, and the whole spectrum by Eigen's
// dense solver.
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"

#include "problems.h"
#include "solve/ordering.h"
#include "solve/projection.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

/// Unit masses in a row between walls, unit springs: lambda_k = 2 - 2 cos(k pi / (n + 1)).
struct Chain {
  explicit Chain(std::int32_t n) : M(n, n), group(static_cast<std::size_t>(n)) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::int32_t i = 0; i < n; ++i) {
      entries.emplace_back(i, i, 2.0);
      if (i > 0) entries.emplace_back(i, i - 1, -1.0);
    }
    K.resize(n, n);
    K.setFromTriplets(entries.begin(), entries.end());
    M.setIdentity();
    std::iota(group.begin(), group.end(), 0);
  }
  std::int64_t below(double sigma) const {
    const auto n = static_cast<std::int64_t>(group.size());
    std::int64_t count = 0;
    for (std::int64_t k = 1; k <= n; ++k)
      if (2.0 - 2.0 * std::cos(static_cast<double>(k) * std::numbers::pi /
                               static_cast<double>(n + 1)) <
          sigma)
        ++count;
    return count;
  }
  SparseMatrix K, M;
  std::vector<std::int32_t> group;
};

// Near sigma = 2 every first pivot nearly vanishes, though no eigenvalue is near: the factor loses
// its digits, and its signs are right.
TEST(SturmCount, AnInexactFactorStillCountsTheModesOfAChain) {
  const Chain chain(400);
  const double sigma = 2.0 - 1e-9;
  const std::unique_ptr<Factorisation> plain = make_supernodal_factorisation(1);
  plain->analyse(chain.K, fill_reducing_order(chain.K, chain.group), chain.group);
  ASSERT_TRUE(plain->factor_plainly(chain.K, sigma, chain.M));
  EXPECT_TRUE(plain->has_lost_digits());
  ShiftedFactor factor(chain.K, chain.M, chain.group, {});
  EXPECT_EQ(factor.count_below(sigma), 200);
  for (const double other : {0.3, 1.0, 2.0 + 1e-7, 2.5, 3.999})
    EXPECT_EQ(factor.count_below(other), chain.below(other)) << other;
}

// Pivots that are round-off alone prove nothing: the count is right or there is none.
TEST(SturmCount, NoCountIsTakenFromSignsWithoutProof) {
  const Chain chain(400);
  for (const double sigma : {2.0 - 4e-16, 2.0, 2.0 + 4e-16}) {
    ShiftedFactor factor(chain.K, chain.M, chain.group, {});
    try {
      EXPECT_EQ(factor.count_below(sigma), 200) << sigma - 2.0;
    } catch (const NumericalError& error) {
      EXPECT_EQ(error.code(), "singular");
    }
  }
}

// A factor that only counts is not one that solves.
TEST(SturmCount, SolutionsAfterACountAreExact) {
  const Chain chain(400);
  const double sigma = 2.0 - 1e-9;
  ShiftedFactor factor(chain.K, chain.M, chain.group, {});
  ASSERT_EQ(factor.count_below(sigma), 200);
  if (!factor.at(sigma)) GTEST_SKIP() << "no back end with pivots off the diagonal is built in";
  const Eigen::MatrixXd b = Eigen::MatrixXd::Ones(400, 1);
  Eigen::MatrixXd x = b;
  factor.solve(x);
  const Eigen::MatrixXd left =
      symmetric_product(chain.K, x) - sigma * symmetric_product(chain.M, x) - b;
  EXPECT_LT(left.norm(), tolerance(1e-11) * (4.0 * x.norm()));
}

// Single precision halves the time of a count. It is taken where its signs are proven; where
// somebody promises a distance to the next eigenvalue that is not there, the count is still right.
TEST(SturmCount, SignsOfSinglePrecisionCountTheModesOfAChain) {
  const Chain chain(400);
  const std::unique_ptr<Factorisation> single = make_supernodal_factorisation(1);
  single->analyse(chain.K, fill_reducing_order(chain.K, chain.group), chain.group);
  ShiftedFactor factor(chain.K, chain.M, chain.group, {});
  for (const std::int64_t k : {1, 7, 150, 399}) {
    const auto lambda = [&](std::int64_t i) {
      return 2.0 - 2.0 * std::cos(static_cast<double>(i) * std::numbers::pi / 401.0);
    };
    const double middle = 0.5 * (lambda(k) + lambda(k + 1));
    ASSERT_TRUE(single->factor_in_single(chain.K, middle, chain.M)) << k;
    EXPECT_EQ(single->inertia().negative, k);
    EXPECT_EQ(factor.count_below(middle, middle - lambda(k)), k);
    EXPECT_EQ(factor.count_below(lambda(k) * (1.0 + 1e-9), 0.1), k);
    EXPECT_EQ(factor.count_below(lambda(k) * (1.0 - 1e-9), 0.1), k - 1);
  }
}

// Rough solves of single precision err by its round-off, and do not stay when exact ones are asked.
TEST(SturmCount, SolutionsAfterACountInSinglePrecisionAreExact) {
  const Chain chain(400);
  const std::unique_ptr<Factorisation> single = make_supernodal_factorisation(1);
  single->analyse(chain.K, fill_reducing_order(chain.K, chain.group), chain.group);
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(400, 11);
  const auto error = [&](const Eigen::MatrixXd& x, double sigma) {
    const Eigen::MatrixXd left =
        symmetric_product(chain.K, x) - sigma * symmetric_product(chain.M, x) - b;
    return left.norm() / (4.0 * x.norm());
  };
  ASSERT_TRUE(single->factor_in_single(chain.K, 0.5, chain.M));
  Eigen::MatrixXd x = b;
  single->solve(x);
  EXPECT_LT(error(x, 0.5), 1e-4);
  EXPECT_GT(error(x, 0.5), 1e-12);
  ShiftedFactor factor(chain.K, chain.M, chain.group, {});
  EXPECT_EQ(factor.count_below(0.5, 1e-3), chain.below(0.5));
  ASSERT_TRUE(factor.at(0.5));
  x = b;
  factor.solve(x);
  EXPECT_LT(error(x, 0.5), tolerance(1e-11));
}

// Held at one end, so that no mode is rigid: any number of modes between one and all.
TEST(NormalModes, AnyNumberOfModesIsTheLowestPartOfTheSpectrum) {
  FeModel model = testing::brick_block(9, 2, 2, 1.0, 0.2, 0.15);
  for (const Node& node : model.nodes)
    for (std::int8_t c = 1; c <= 3 && node.position.x() < 1e-9; ++c)
      model.fixed.push_back({node.id, c});
  Diagnostics diagnostics;
  const System system = build_system(model, diagnostics);
  const Eigen::VectorXd all =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(mirrored(system.K)),
                                                                Eigen::MatrixXd(mirrored(system.M)),
                                                                Eigen::EigenvaluesOnly)
          .eigenvalues();
  const std::int64_t n = all.size();
  for (const std::int64_t count : {std::int64_t{1}, n / 5, n / 3, n / 2, n - 1, n}) {
    ModeRequest request;
    request.normal = count;
    const ComputedModes modes = compute_modes(model, request, diagnostics);
    ASSERT_EQ(modes.modes.count(), count);
    for (std::int64_t k = 0; k < count; ++k)
      EXPECT_NEAR(modes.modes.modes[static_cast<std::size_t>(k)].eigenvalue,
                  all(k),
                  tolerance(1e-9) * all(k))
          << k << " of " << count;
    const Eigen::MatrixXd m = project(*model.mass, modes.modes.shapes);
    EXPECT_LT((m - Eigen::MatrixXd::Identity(count, count)).cwiseAbs().maxCoeff(),
              tolerance(1e-10));
    EXPECT_LT(modes.report.worst_residual, 1e-7);
  }
}

}  // namespace
}  // namespace femflex::modal
