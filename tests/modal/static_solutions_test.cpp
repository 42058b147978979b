// Static solutions of a floating part. Truth: equilibrium of each load case with the inertia forces
// of its rigid motion, and the solution of each load case alone.
#include "solve/static_solutions.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

#include "problems.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "solve/rigid_modes.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::tolerance;

/// A free block with three load cases: one node pulled, forces of both signs, the softest bending.
struct FloatingBlock {
  FeModel model = testing::brick_block(8, 2, 1, 1.0, 0.1, 0.05);
  Diagnostics diagnostics;
  System system = build_system(model, diagnostics);
  std::vector<std::int64_t> unknowns = std::vector<std::int64_t>(system.row_of.size());
  ShiftedFactor factor{system.K, system.M, system.group, {}};
  MatrixXd rigid, f;

  FloatingBlock() {
    std::iota(unknowns.begin(), unknowns.end(), 0);
    rigid = rigid_modes(factor, {rigid_columns(model, system)});
    f = MatrixXd::Zero(system.size(), 3);
    f(4, 0) = 1.0;
    for (Index k = 0; k < f.rows(); ++k)
      f(k, 1) = std::sin(7.0 * static_cast<double>(k));
    f(2, 2) = 1.0;
    f(f.rows() - 1, 2) = 1.0;
  }
  MatrixXd solved(const MatrixXd& loads) {
    factor_shifted_stiffness(factor, {model, system, unknowns});
    return elastic_solutions(factor, {model, system, unknowns}, rigid, loads);
  }
};

// Powers of two change no digit, up to the ends of the range of numbers.
TEST(StaticSolutions, PowersOfTwoScaleTheSolutionsBitForBit) {
  FloatingBlock block;
  const MatrixXd u = block.solved(block.f);
  for (const int power : {1, 100, 300}) {
    const Eigen::Vector3d scale(std::ldexp(1.0, -power), 1.0, std::ldexp(1.0, power));
    const MatrixXd scaled = block.solved(block.f * scale.asDiagonal());
    EXPECT_EQ(scaled, u * scale.asDiagonal()) << power;
  }
}

TEST(StaticSolutions, ASmallLoadIsSolvedBesideALargeOne) {
  FloatingBlock block;
  const Eigen::Vector3d scale(1e6, 1e-30, 1.0);
  const MatrixXd loads = block.f * scale.asDiagonal();
  const MatrixXd u = block.solved(loads);
  const MatrixXd M_rigid = symmetric_product(block.system.M, block.rigid);
  for (Index j = 0; j < 3; ++j) {
    const MatrixXd alone = block.solved(loads.col(j));
    EXPECT_LE((u.col(j) - alone).norm(), tolerance(1e-11) * alone.norm()) << j;
    const MatrixXd rest = loads.col(j) - M_rigid * (block.rigid.transpose() * loads.col(j)) -
                          symmetric_product(block.system.K, u.col(j));
    // K u rounds to some digits of the largest terms of its sums, which bending cancels
    EXPECT_LE(rest.norm(), tolerance(1e-10) * loads.col(j).norm()) << j;
    EXPECT_LE((M_rigid.transpose() * u.col(j)).norm(),
              tolerance(1e-12) * M_rigid.norm() * u.col(j).norm());
  }
}

// A load that only accelerates the part, no load, and no load case at all.
TEST(StaticSolutions, LoadsWithoutElasticShareGiveZero) {
  FloatingBlock block;
  MatrixXd loads = MatrixXd::Zero(block.system.size(), 3);
  loads.col(0) = symmetric_product(block.system.M, block.rigid.col(1));
  loads.col(2) = block.f.col(0);
  const MatrixXd u = block.solved(loads);
  EXPECT_EQ(u.leftCols(2).norm(), 0.0);
  EXPECT_GT(u.col(2).norm(), 0.0);
  EXPECT_EQ(block.solved(loads.leftCols(0)).cols(), 0);
}

TEST(StaticSolutions, ALoadThatIsNotFiniteIsRefused) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    FloatingBlock block;
    block.f(3, 1) = value;
    EXPECT_THROW(block.solved(block.f), ModelError);
  }
}

}  // namespace
}  // namespace femflex::modal
