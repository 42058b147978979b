// Tests chains of rigid elements, which are followed to rows of the matrices.
#include "femflex/constraints.h"

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex {
namespace {

/// Nodes 1 .. n along x, 1 apart; node k + 1 follows node k in y by one equation each. Only node 1
/// has a row.
FeModel chain(std::int64_t n) {
  FeModel model;
  for (std::int64_t k = 1; k <= n; ++k)
    model.nodes.push_back({k, Eigen::Vector3d(static_cast<double>(k), 0.0, 0.0)});
  model.dofs = DofMap({{1, 2}});
  model.rigid_elements = {{"MPC", 7, {}, {}, ""}};
  for (std::int64_t k = 1; k < n; ++k)
    model.constraints.push_back({{k + 1, 2}, {{{k, 2}, k % 2 == 0 ? 2.0 : 0.5}}, 0});
  return model;
}

// Closed form: factors 0.5 and 2 in turn. The chain is too long for recursion on any call stack.
TEST(Dependence, FollowsChainsAsLongAsTheModel) {
  constexpr std::int64_t n = 50001;
  const FeModel model = chain(n);
  const Dependence dependence(model);
  ASSERT_EQ(dependence.followers().size(), static_cast<std::size_t>(n - 1));
  for (const std::int64_t node : {2L, 3L, n - 1, n}) {
    const Dependence::Follower* follower = dependence.find({node, 2});
    ASSERT_NE(follower, nullptr);
    EXPECT_TRUE(follower->complete);
    ASSERT_EQ(follower->rows.size(), 1u);
    EXPECT_EQ(follower->rows.front().row, 0);
    EXPECT_EQ(follower->rows.front().factor, node % 2 == 0 ? 0.5 : 1.0) << node;
  }
}

// A cycle of dependencies is marked, with all that depends on it; other nodes are not touched.
TEST(Dependence, NamesRings) {
  FeModel model = chain(6);
  model.constraints.push_back({{8, 2}, {{{9, 2}, 1.0}}, 0});
  model.constraints.push_back({{9, 2}, {{{8, 2}, 1.0}, {{3, 2}, 1.0}}, 0});
  model.constraints.push_back({{7, 2}, {{{8, 2}, 1.0}}, 0});
  const Dependence dependence(model);
  for (const std::int64_t node : {7, 8, 9}) {
    EXPECT_TRUE(dependence.find({node, 2})->is_cyclic) << node;
    EXPECT_FALSE(dependence.find({node, 2})->complete) << node;
  }
  EXPECT_FALSE(dependence.find({6, 2})->is_cyclic);
  EXPECT_TRUE(dependence.find({6, 2})->complete);
}

}  // namespace
}  // namespace femflex
