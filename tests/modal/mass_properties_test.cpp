// Tests mass, centre and inertia of FE models that lack rows. Truth: point masses by hand.
#include "femflex/modal/mass_properties.h"

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/modal/build_invariants.h"
#include "femflex/units.h"

#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

/// Masses of 2, 1, 1 and 4 at four corners, moved by `origin`; node 4 lacks rows along `missing`.
FeModel corners(const Eigen::Vector3d& origin, const std::set<int>& missing) {
  FeModel model;
  const std::vector<Eigen::Vector3d> at = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 3}};
  const std::vector<double> mass = {2, 1, 1, 4};
  std::vector<Dof> rows;
  std::vector<double> values;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const auto id = static_cast<std::int64_t>(k + 1);
    model.nodes.push_back({id, origin + at[k]});
    for (int component = 1; component <= 3; ++component) {
      if (id == 4 && missing.contains(component)) continue;
      rows.push_back({id, static_cast<std::int8_t>(component)});
      values.push_back(mass[k]);
    }
  }
  model.dofs = DofMap(rows);
  const auto n = static_cast<Eigen::Index>(rows.size());
  SparseMatrix M(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    M.insert(i, i) = values[static_cast<std::size_t>(i)];
  model.mass = M;
  return make_fe_model(std::move(model));
}

TEST(MassProperties, OfAModelThatLacksRowsAlongOneAxisAreThoseOfTheOthers) {
  const MassProperties whole = mass_properties(corners(Eigen::Vector3d::Zero(), {}));
  EXPECT_TRUE(whole.is_isotropic);
  EXPECT_LT((whole.centre - Eigen::Vector3d(0.625, 1.25, 1.5)).norm(), tolerance(1e-14));
  for (const std::set<int>& missing : {std::set{1}, std::set{2}, std::set{1, 3}})
    for (const double far : {0.0, 100.0}) {
      const Eigen::Vector3d origin(far, -far, 0.5 * far);
      const MassProperties found = mass_properties(corners(origin, missing));
      EXPECT_FALSE(found.is_isotropic);
      EXPECT_EQ(found.mass, 8.0);
      EXPECT_LT((found.centre - origin - whole.centre).norm(), tolerance(1e-11)) << far;
      EXPECT_LT((found.inertia - whole.inertia).norm(), tolerance(1e-9)) << far;
    }
}

// Truth: the body of the same masses without missing rows.
TEST(MassProperties, OfTheBodyAreThoseOfTheModel) {
  const auto invariants = [](FeModel model) {
    model.units = parse_units("m-kg-s");
    std::vector<BodyNode> nodes;
    for (const Node& node : model.nodes)
      nodes.push_back({node.id, node.position});
    return lumped_invariants(nodes, lumped_masses(model), Eigen::MatrixXd(24, 0));
  };
  for (const std::set<int>& missing : {std::set{1}, std::set{2}, std::set{1, 3}})
    for (const double far : {0.0, 100.0}) {
      const Eigen::Vector3d origin(far, -far, 0.5 * far);
      const InertiaInvariants whole = invariants(corners(origin, {}));
      const InertiaInvariants found = invariants(corners(origin, missing));
      EXPECT_NEAR(found.mass, 8.0, tolerance(1e-14));
      EXPECT_LT((found.first_moment - whole.first_moment).norm(), tolerance(1e-10)) << far;
      EXPECT_LT(testing::relative_difference(found.inertia, whole.inertia), tolerance(1e-13));
    }
}

}  // namespace
}  // namespace femflex::modal
