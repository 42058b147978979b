// Tests mass matrices that couple all DOFs, as Guyan reduction makes them: M = T' M_fine T.
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/fe_model.h"
#include "femflex/frames.h"
#include "femflex/modal/build_invariants.h"
#include "femflex/modal/reduce.h"

#include "solve/dense_pairs.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::relative_difference;
using testing::tolerance;

constexpr Index kKept = 5, kFine = 40;

MatrixXd random_matrix(std::mt19937& engine, Index rows, Index cols) {
  std::normal_distribution<double> number;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return number(engine); });
}

/// Six motions of one body at points; rows of three, or of six with rotations.
MatrixXd rigid(const MatrixXd& points, int rows) {
  MatrixXd T = MatrixXd::Zero(rows * points.cols(), 6);
  for (Index p = 0; p < points.cols(); ++p) {
    T.block<3, 3>(rows * p, 0).setIdentity();
    T.block<3, 3>(rows * p, 3) = -cross_matrix(Vector3d(points.col(p)));
    if (rows == 6) T.block<3, 3>(rows * p + 3, 3).setIdentity();
  }
  return T;
}

/// 40 point masses that follow five nodes by a random rule which keeps rigid motions rigid.
FeModel condensed_model(const Vector3d& origin, bool keeps_rigid_motions = true) {
  std::mt19937 engine(3);
  MatrixXd kept = random_matrix(engine, 3, kKept), fine = random_matrix(engine, 3, kFine);
  kept.colwise() += origin;
  fine.colwise() += origin;
  MatrixXd follow = 0.3 * random_matrix(engine, 3 * kFine, 6 * kKept);
  const MatrixXd R = rigid(kept, 6);
  if (keeps_rigid_motions)
    follow += (rigid(fine, 3) - follow * R) * (R.transpose() * R).ldlt().solve(R.transpose());
  const MatrixXd M = follow.transpose() * follow;  // each of 1 kg
  // springs that resist nothing rigid
  MatrixXd K = 1e4 * MatrixXd::Identity(6 * kKept, 6 * kKept);
  K -= 1e4 * R * (R.transpose() * R).ldlt().solve(R.transpose());

  FeModel model;
  model.units = Units{};
  std::vector<std::int64_t> ids;
  for (Index p = 0; p < kKept; ++p) {
    ids.push_back(p + 1);
    model.nodes.push_back({p + 1, kept.col(p)});
  }
  model.dofs = DofMap::all_six(ids);
  model.mass = lower_triangle((0.5 * (M + M.transpose())).sparseView());
  model.stiffness = lower_triangle((0.5 * (K + K.transpose())).sparseView());
  return make_fe_model(std::move(model));
}

// Truth: the parallel-axis rules. The result does not depend on the distance of the part from the
// origin.
TEST(DenseMass, InvariantsOfAMovedModelAreThoseOfTheModelMoved) {
  const Vector3d offset(50.0, -30.0, 20.0);
  std::mt19937 engine(5);
  const MatrixXd Phi = random_matrix(engine, 6 * kKept, 4);
  const InertiaInvariants there = consistent_invariants(condensed_model(offset), Phi);
  const InertiaInvariants here =
      translated(consistent_invariants(condensed_model(Vector3d::Zero()), Phi), offset);
  EXPECT_NEAR(there.mass / kFine, 1.0, tolerance(1e-11));
  EXPECT_LT(relative_difference(there.first_moment, here.first_moment), tolerance(1e-11));
  EXPECT_LT(relative_difference(there.inertia, here.inertia), tolerance(1e-11));
  EXPECT_LT(relative_difference(there.translation, here.translation), tolerance(1e-11));
  EXPECT_LT(relative_difference(there.rotation, here.rotation), tolerance(1e-11));
  EXPECT_LT(relative_difference(there.translation_rate, here.translation_rate), tolerance(1e-10));
  EXPECT_LT(relative_difference(there.inertia_rate, here.inertia_rate), tolerance(1e-10));
  EXPECT_LT(relative_difference(there.inertia_curvature, here.inertia_curvature), tolerance(1e-10));
  // the test case is a relevant one: 5 is far from antisymmetric
  EXPECT_GT(here.translation_rate.col(0).norm(), 1e-2 * here.translation_rate.norm());
}

// Truth: T' M T. Rows are complete, so the matrix itself says what is moved, whatever its mass is.
TEST(DenseMass, OfAnyPositiveMatrixWithAllItsRowsGivesTheInertiaAndIsNamed) {
  FeModel model = condensed_model(Vector3d::Zero(), false);
  ReduceOptions options;
  options.method = Method::dynamic;
  options.rigid_modes = RigidModes::drop;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics, no_progress());
  const MatrixXd M = mirrored(*model.mass);
  MatrixXd kept(3, kKept);
  for (Index p = 0; p < kKept; ++p)
    kept.col(p) = model.nodes[static_cast<std::size_t>(p)].position;
  const MatrixXd T = rigid(kept, 6);
  const MatrixXd TMT = T.transpose() * M * T;
  EXPECT_NEAR(
      body.invariants.mass / (TMT.topLeftCorner<3, 3>().trace() / 3.0), 1.0, tolerance(1e-11));
  EXPECT_LT(relative_difference(body.invariants.inertia, TMT.bottomRightCorner<3, 3>()),
            tolerance(1e-11));
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "mass-by-direction");
}

// Truth: the sign of the stiffness of the DOF without mass.
TEST(MasslessDofs, OfNegativeStiffnessAreNotCalledWithoutStiffness) {
  const auto message = [](double softness) -> std::string {
    const SparseMatrix K = (MatrixXd(2, 2) << 3.0, 1.0, 1.0, softness).finished().sparseView();
    const SparseMatrix M = (MatrixXd(2, 2) << 1.0, 0.0, 0.0, 0.0).finished().sparseView();
    VectorXd lambda;
    MatrixXd X;
    try {
      dense_pairs(K, M, std::nullopt, lambda, X);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_NE(message(-2.0).find("K is indefinite"), std::string::npos) << message(-2.0);
  EXPECT_NE(message(0.0).find("neither stiffness nor mass"), std::string::npos) << message(0.0);
  EXPECT_EQ(message(2.0), "");
}

}  // namespace
}  // namespace femflex::modal
