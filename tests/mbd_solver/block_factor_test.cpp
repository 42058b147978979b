// Tests the block LU against a dense LU on the matrices [M G'; G 0] of trees of bodies: rigid
// bodies, bodies with many modes, joints with various numbers of rows.
#include "linear/block_factor.h"

#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"

namespace femflex::mbd_solver {
namespace {

class Tree {
 public:
  /// Body k is connected to body parents[k - 1] by a joint with rows[k - 1] rows.
  Tree(const std::vector<int>& bodies,
       const std::vector<int>& parents,
       const std::vector<int>& rows) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
      nodes_.push_back({.size = bodies[k], .body = static_cast<int>(k)});
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const int joint = static_cast<int>(nodes_.size());
      nodes_.push_back({.size = rows[k], .multiplier = true});
      edges_.emplace_back(joint, parents[k]);
      edges_.emplace_back(joint, static_cast<int>(k) + 1);
    }
    for (const BlockNode& node : nodes_) {
      first_.push_back(size_);
      size_ += node.size;
    }
  }

  /// Largest error of the block solution relative to the dense solution.
  double error(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    const auto filled = [&](int r, int c) {
      return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(r, c, [&] { return any(random); }));
    };
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size_, size_);
    BlockFactor factor(nodes_, edges_);
    factor.clear();
    const auto put = [&](int i, int j, const Eigen::MatrixXd& values) {
      A.block(first_[at(i)], first_[at(j)], values.rows(), values.cols()) = values;
      const BlockFactor::Block block = factor.block(i, j);
      for (Eigen::Index c = 0; c < values.cols(); ++c)
        for (Eigen::Index r = 0; r < values.rows(); ++r)
          block(static_cast<int>(r), static_cast<int>(c)) = values(r, c);
    };
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (nodes_[k].multiplier) continue;
      const Eigen::MatrixXd half = filled(nodes_[k].size, nodes_[k].size);
      put(static_cast<int>(k),
          static_cast<int>(k),
          half * half.transpose() + Eigen::MatrixXd::Identity(nodes_[k].size, nodes_[k].size));
    }
    for (const auto& [i, j] : edges_) {
      const Eigen::MatrixXd G = filled(nodes_[at(i)].size, nodes_[at(j)].size);
      put(i, j, G);
      put(j, i, G.transpose());
    }
    if (!factor.factor()) return 1.0;
    const Eigen::VectorXd b = filled(size_, 1);
    Eigen::VectorXd x = b;
    factor.solve(x.data());
    const Eigen::VectorXd dense = A.partialPivLu().solve(b);
    return (x - dense).lpNorm<Eigen::Infinity>() / dense.lpNorm<Eigen::Infinity>();
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  std::vector<BlockNode> nodes_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> first_;
  int size_ = 0;
};

TEST(BlockFactor, SolvesHingesBetweenARigidBodyAndOneOfAHundredModes) {
  for (const int modes : {98, 99, 100, 101, 102, 103, 106, 107}) {
    EXPECT_LT(Tree({6, 6 + modes}, {0}, {5}).error(7), 1e-9) << modes;
    EXPECT_LT(Tree({6 + modes, 6}, {0}, {5}).error(7), 1e-9) << modes;
  }
}

TEST(BlockFactor, SolvesTreesOfAllSizes) {
  std::mt19937_64 random(3);
  const auto any = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (unsigned trial = 0; trial < 60; ++trial) {
    std::vector<int> bodies{6}, parents, rows;
    const int count = any(1, 7);
    for (int k = 1; k <= count; ++k) {
      bodies.push_back(any(0, 2) == 0 ? any(6, 120) : 6);
      parents.push_back(any(0, k - 1));
      rows.push_back(any(1, 3));
    }
    bodies[0] = 3 * count + 6;  // at least as many coordinates as constraint rows act on the body
    for (const int parent : parents)
      if (parent > 0) bodies[static_cast<std::size_t>(parent)] += 3 * count;
    EXPECT_LT(Tree(bodies, parents, rows).error(trial), 1e-8) << "trial " << trial;
  }
}

}  // namespace
}  // namespace femflex::mbd_solver
