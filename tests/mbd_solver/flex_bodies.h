// Flexible bodies of lumped masses, for the tests of the multibody solver. Their invariants are
// sums over the nodes.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::testing {

/// A body of lumped nodes. Its mass matrix and invariants are computed from their definitions.
/// @param positions  (3 x nodes); node ids are 1, 2 and so on
/// @param lumped     (nodes x 6) mx my mz Jx Jy Jz with mx = my = mz
/// @param shapes     (6 rows per node x n)
/// @param stiffness  modal stiffness (n x n)
FlexBody lumped_flex_body(const Eigen::Matrix3Xd& positions,
                          const Eigen::MatrixXd& lumped,
                          const Eigen::MatrixXd& shapes,
                          const Eigen::MatrixXd& stiffness);

/// Double mass-spring of reference/meeuwse: node 1 is fixed; nodes 2 and 3 have 5 kg each and move
/// along z. `columns` (2 x n) contains the shapes at nodes 2 and 3.
FlexBody double_mass_spring(const Eigen::MatrixXd& columns);

}  // namespace femflex::testing
