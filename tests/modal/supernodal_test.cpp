// Tests the supernodal sparse factorisation. Truth: residuals, known eigenvalue counts, and equal
// bits for any number of threads.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "problems.h"
#include "solve/factorisation.h"
#include "solve/ordering.h"
#include "solve/supernodes.h"
#include "solve/system.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

System free_block(int nx, int ny, int nz) {
  Diagnostics diagnostics;
  return build_system(testing::brick_block(nx, ny, nz, 1.0, 0.2, 0.15), diagnostics);
}

std::unique_ptr<Factorisation> analysed(const System& system, int threads) {
  std::unique_ptr<Factorisation> factor = make_supernodal_factorisation(threads);
  factor->analyse(system.K, fill_reducing_order(system.K, system.group), system.group);
  return factor;
}

/// Eigenvalues of K x = lambda M x by a dense solver.
Eigen::VectorXd spectrum(const System& system) {
  const Eigen::MatrixXd K = mirrored(system.K);
  const Eigen::MatrixXd M = mirrored(system.M);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

// The residual is the truth: A x = b for every number of columns that a kernel has a width for.
TEST(Supernodal, SolvesForAnyNumberOfColumns) {
  const System system = free_block(6, 3, 3);
  const std::unique_ptr<Factorisation> factor = analysed(system, 1);
  const double sigma = -1e6;
  ASSERT_TRUE(factor->factor(system.K, sigma, system.M));
  const Eigen::MatrixXd A = mirrored(combined(system.K, sigma, system.M));
  for (const Eigen::Index columns : {1, 2, 4, 5, 8, 9, 21}) {
    const Eigen::MatrixXd b = A * Eigen::MatrixXd::Random(A.rows(), columns);
    Eigen::MatrixXd x = b;
    factor->solve(x);
    EXPECT_LT((A * x - b).norm(), tolerance(1e-12) * (A.norm() * x.norm())) << columns;
  }
}

// Sylvester's law: negative pivots of K - s M are the eigenvalues below s, here by a dense solver.
TEST(Supernodal, NegativePivotsCountTheEigenvaluesBelowAShift) {
  const System system = free_block(5, 2, 2);
  const Eigen::VectorXd lambda = spectrum(system);
  const std::unique_ptr<Factorisation> factor = analysed(system, 1);
  for (const Eigen::Index below : {6, 7, 15, 40, 100}) {
    const double shift = 0.5 * (lambda(below - 1) + lambda(below));
    ASSERT_TRUE(factor->factor(system.K, shift, system.M));
    EXPECT_EQ(factor->inertia().negative, below);
    const Eigen::MatrixXd A = mirrored(combined(system.K, shift, system.M));
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(A.rows(), 3);
    Eigen::MatrixXd x = b;
    factor->solve(x);
    EXPECT_LT((A * x - b).norm(), tolerance(1e-10) * (A.norm() * x.norm())) << below;
  }
}

// A matrix that needs pivots off the diagonal: the diagonal is zero everywhere.
TEST(Supernodal, AZeroDiagonalIsReportedAndNotDividedBy) {
  const SparseMatrix K = assemble(4, 4, {{1, 0, 1.0}, {3, 2, 1.0}, {2, 1, 0.5}});
  const SparseMatrix M(4, 4);
  const std::unique_ptr<Factorisation> factor = make_supernodal_factorisation(1);
  factor->analyse(K, {0, 1, 2, 3}, {0, 1, 2, 3});
  EXPECT_FALSE(factor->factor(K, 0.0, M));
  EXPECT_EQ(factor->inertia().zero, 1);
}

// Subtrees are independent: three threads find what one does, up to a backward-stable round-off.
TEST(Supernodal, ResultsDoNotDependOnTheNumberOfThreads) {
  const System system = free_block(24, 6, 5);
  Eigen::MatrixXd solutions[2];
  for (const int threads : {1, 3}) {
    const std::unique_ptr<Factorisation> factor = analysed(system, threads);
    ASSERT_TRUE(factor->factor(system.K, -1e6, system.M));
    Eigen::MatrixXd x = Eigen::MatrixXd::Ones(system.size(), 2);
    x.col(1).setLinSpaced(-1.0, 1.0);
    factor->solve(x);
    solutions[threads / 2] = x;
  }
  const SparseMatrix A = combined(system.K, -1e6, system.M);
  const Eigen::MatrixXd apart = solutions[0] - solutions[1];
  const Eigen::MatrixXd left = A.selfadjointView<Eigen::Lower>() * apart;
  EXPECT_LT(left.norm(), tolerance(1e-12) * A.norm() * solutions[0].norm());
}

// What the tree promises: a permutation, children before parents, rows below inside the parent.
TEST(Supernodal, TheTreeOfSupernodesHoldsTogether) {
  const System system = free_block(16, 6, 5);
  const Supernodes tree =
      find_supernodes(system.K, fill_reducing_order(system.K, system.group), system.group);
  std::vector<std::int32_t> places = tree.place;
  std::sort(places.begin(), places.end());
  for (std::size_t k = 0; k < places.size(); ++k)
    ASSERT_EQ(places[k], static_cast<std::int32_t>(k));
  EXPECT_GT(tree.level.front().size(), 2U);  // large enough to be shared among threads
  std::int32_t next = 0;
  for (const std::vector<std::int32_t>& bin : tree.level)
    for (std::size_t k = 0; k + 1 < bin.size(); ++k) {
      EXPECT_EQ(bin[k], next);  // every supernode in one bin
      next = bin[k + 1];
      for (std::int32_t s = bin[k]; s < next; ++s) {  // whose parent is there or in a later level
        const std::int32_t parent = tree.nodes[static_cast<std::size_t>(s)].parent;
        EXPECT_TRUE(parent < next || parent >= bin.back());
      }
    }
  EXPECT_EQ(next, static_cast<std::int32_t>(tree.nodes.size()));
  for (std::size_t s = 0; s < tree.nodes.size(); ++s) {
    const Supernode& node = tree.nodes[s];
    if (node.below == 0) {
      EXPECT_EQ(node.parent, -1);
      continue;
    }
    ASSERT_GT(node.parent, static_cast<std::int32_t>(s));
    const Supernode& up = tree.nodes[static_cast<std::size_t>(node.parent)];
    std::vector<std::int32_t> rows(tree.rows.begin() + up.rows,
                                   tree.rows.begin() + up.rows + up.below);
    for (std::int32_t k = 0; k < up.width; ++k)
      rows.push_back(up.first + k);
    std::sort(rows.begin(), rows.end());
    EXPECT_TRUE(std::includes(rows.begin(),
                              rows.end(),
                              tree.rows.begin() + node.rows,
                              tree.rows.begin() + node.rows + node.below));
  }
}

/// Numbers in contributions kept at a time at most, if supernodes are eliminated in this order.
double most_kept(const Supernodes& tree, const std::vector<std::int32_t>& order) {
  double kept = 0.0, most = 0.0;
  const auto left = [&](std::int32_t s) {
    const double r = tree.nodes[static_cast<std::size_t>(s)].below;
    return 0.5 * r * (r + 1.0);
  };
  for (const std::int32_t s : order) {
    kept += left(s);
    most = std::max(most, kept);  // beside those of the children, which are taken then
    for (const std::int32_t c : tree.children[static_cast<std::size_t>(s)])
      kept -= left(c);
  }
  return most;
}

/// Branch after branch, of several children the first or the last one first.
std::vector<std::int32_t> branch_order(const Supernodes& tree, bool first_child_first) {
  std::vector<std::int32_t> open, out;  // found parents first, and then reversed
  for (std::size_t s = 0; s < tree.nodes.size(); ++s)
    if (tree.nodes[s].parent < 0) open.push_back(static_cast<std::int32_t>(s));
  while (!open.empty()) {
    const std::int32_t s = open.back();
    open.pop_back();
    out.push_back(s);
    std::vector<std::int32_t> children = tree.children[static_cast<std::size_t>(s)];
    if (!first_child_first) std::reverse(children.begin(), children.end());
    open.insert(open.end(), children.begin(), children.end());
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Children before parents, each supernode once, and no more memory than any other order that goes
// branch by branch [Liu 1986].
TEST(Supernodal, TheLeanOrderKeepsFewContributions) {
  const System system = free_block(16, 12, 10);
  const Supernodes tree =
      find_supernodes(system.K, fill_reducing_order(system.K, system.group), system.group);
  std::vector<bool> done(tree.nodes.size(), false);
  for (const std::int32_t s : tree.lean_order) {
    for (const std::int32_t c : tree.children[static_cast<std::size_t>(s)])
      EXPECT_TRUE(done[static_cast<std::size_t>(c)]) << s;
    EXPECT_FALSE(done[static_cast<std::size_t>(s)]) << s;
    done[static_cast<std::size_t>(s)] = true;
  }
  EXPECT_EQ(std::count(done.begin(), done.end(), true), std::ssize(done));
  for (const bool first : {true, false})
    EXPECT_LE(most_kept(tree, tree.lean_order), most_kept(tree, branch_order(tree, first)));
}

}  // namespace
}  // namespace femflex::modal
