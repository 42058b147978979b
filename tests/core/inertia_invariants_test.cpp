// Tests the nine inertia invariants against their definitions.
#include "femflex/inertia_invariants.h"

#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/frames.h"

#include "support/support.h"

namespace femflex {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing::relative_difference;
using testing::tolerance;

struct Matter {
  Eigen::Matrix3Xd c;
  MatrixXd shapes;
  Eigen::Matrix<double, Eigen::Dynamic, 6> lumped;
};

Matter random_matter(unsigned seed, Index nodes, Index n, bool isotropic) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto draw = [&] { return number(engine); };
  Matter body;
  body.c = Eigen::Matrix3Xd::NullaryExpr(3, nodes, draw);
  body.shapes = MatrixXd::NullaryExpr(6 * nodes, n, draw);
  body.lumped = MatrixXd::NullaryExpr(nodes, 6, [&] { return 1.5 + draw(); });
  if (isotropic) {
    body.lumped.col(1) = body.lumped.col(0);
    body.lumped.col(2) = body.lumped.col(0);
  }
  return body;
}

InertiaInvariants of(const Matter& body) {
  return invariants_from_lumped(body.c, body.shapes, body.lumped);
}

/// The definitions, word by word.
InertiaInvariants direct(const Matter& body) {
  const Index n = body.shapes.cols();
  InertiaInvariants i = zero_invariants(n);
  for (Index k = 0; k < body.c.cols(); ++k) {
    const Vector3d c = body.c.col(k);
    const Matrix3d m = body.lumped.row(k).head<3>().asDiagonal();
    const Matrix3d I = body.lumped.row(k).tail<3>().asDiagonal();
    const MatrixXd phi = body.shapes.middleRows(6 * k, 3);
    const MatrixXd psi = body.shapes.middleRows(6 * k + 3, 3);
    i.mass += m.trace() / 3.0;
    i.first_moment += m * c;
    i.translation += m * phi;
    i.rotation += cross_matrix(c) * m * phi + I * psi;
    i.modal += phi.transpose() * m * phi + psi.transpose() * I * psi;
    i.inertia += cross_matrix(c).transpose() * m * cross_matrix(c) + I;
    // with m between the factors, c~' m c~ means m c~' c~: the same for equal masses
    for (Index j = 0; j < n; ++j) {
      const Matrix3d phi_j = cross_matrix(phi.col(j));
      i.translation_rate.middleCols(n * j, n) += phi_j * m * phi;
      i.inertia_rate.middleCols(3 * j, 3) += cross_matrix(c) * m * phi_j;
      for (Index l = 0; l < n; ++l)
        i.inertia_curvature.block(3 * j, 3 * l, 3, 3) += phi_j * m * cross_matrix(phi.col(l));
    }
  }
  return i;
}

void expect_equal(const InertiaInvariants& a, const InertiaInvariants& b, double tol) {
  EXPECT_NEAR(a.mass, b.mass, tol * b.mass);
  EXPECT_LE(relative_difference(a.first_moment, b.first_moment), tol);
  EXPECT_LE(relative_difference(a.translation, b.translation), tol);
  EXPECT_LE(relative_difference(a.rotation, b.rotation), tol);
  EXPECT_LE(relative_difference(a.translation_rate, b.translation_rate), tol);
  EXPECT_LE(relative_difference(a.modal, b.modal), tol);
  EXPECT_LE(relative_difference(a.inertia, b.inertia), tol);
  EXPECT_LE(relative_difference(a.inertia_rate, b.inertia_rate), tol);
  EXPECT_LE(relative_difference(a.inertia_curvature, b.inertia_curvature), tol);
}

// Second algorithm: the sums of the definitions, node by node. 700 nodes span two blocks.
TEST(InertiaInvariants, EqualTheirDefinitionsForRandomMatter) {
  for (const bool isotropic : {true, false}) {
    const Matter body = random_matter(1, 700, 4, isotropic);
    expect_equal(of(body), direct(body), tolerance(1e-12));
  }
}

// Truth: the definitions at the moved nodes (parallel axes).
TEST(InertiaInvariants, MoveWithTheFrameAsParallelAxisRulesSay) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Matter body = random_matter(seed, 9, 3, true);
    const Vector3d offset(0.3, -2.0, 1.1);
    const InertiaInvariants moved = translated(of(body), offset);
    body.c.colwise() += offset;
    expect_equal(moved, direct(body), tolerance(1e-12));
  }
}

// Truth: the definitions at the turned or mirrored nodes; rotation shapes are axial vectors.
TEST(InertiaInvariants, TurnAndMirrorWithTheNodes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const double sign : {1.0, -1.0}) {
      Matter body = random_matter(seed, 9, 3, true);
      body.lumped.col(4) = body.lumped.col(3);  // a diagonal rotary inertia that turns into itself
      body.lumped.col(5) = body.lumped.col(3);
      Matrix3d Q = Eigen::AngleAxisd(0.7 + seed, Vector3d(1, -2, 3).normalized()).matrix();
      Q *= sign;
      const InertiaInvariants turned = rotated(of(body), Q);
      body.c = (Q * body.c).eval();
      for (Index k = 0; k < 9; ++k) {
        body.shapes.middleRows(6 * k, 3) = (Q * body.shapes.middleRows(6 * k, 3)).eval();
        body.shapes.middleRows(6 * k + 3, 3) =
            (sign * Q * body.shapes.middleRows(6 * k + 3, 3)).eval();
      }
      expect_equal(turned, direct(body), tolerance(1e-12));
    }
  }
}

// Truth: the definitions with the shapes multiplied.
TEST(InertiaInvariants, ChangeBasisWithTheShapes) {
  Matter body = random_matter(5, 11, 4, true);
  const MatrixXd T = random_matter(6, 4, 3, true).shapes.topRows(4);
  const InertiaInvariants changed = in_basis(of(body), T);
  body.shapes = (body.shapes * T).eval();
  expect_equal(changed, direct(body), tolerance(1e-12));
}

// Truth: identities of cross products, exact for every body of point masses.
TEST(InertiaInvariants, PassTheConsistencyChecks) {
  Matter body = random_matter(7, 30, 5, true);
  body.lumped.rightCols(3).setZero();
  const auto checks = consistency_checks(of(body), false);
  EXPECT_EQ(checks.size(), 6U);
  for (const ConsistencyCheck& check : checks)
    EXPECT_LE(check.residual, tolerance(1e-12)) << check.name;
}

// A wrong sign of one entry must not pass.
TEST(InertiaInvariants, FailAConsistencyCheckWhenOneEntryIsWrong) {
  InertiaInvariants i = of(random_matter(7, 30, 5, true));
  i.inertia_curvature(1, 5) = -i.inertia_curvature(1, 5);
  double worst = 0.0;
  for (const ConsistencyCheck& check : consistency_checks(i, true))
    worst = std::max(worst, check.residual);
  EXPECT_GT(worst, 1e-3);
}

// Truth: kinetic energy as a sum over nodes of v' m v / 2 + w' I w / 2.
TEST(InertiaInvariants, GiveTheMassMatrixOfRigidAndModalMotion) {
  const Matter body = random_matter(8, 12, 3, true);
  const MatrixXd M = rigid_flexible_mass(of(body));
  const Eigen::VectorXd rate = Eigen::VectorXd::LinSpaced(9, -1.0, 2.0);
  double energy = 0.0;
  for (Index k = 0; k < 12; ++k) {
    const Vector3d w = rate.segment<3>(3);
    const Vector3d v = rate.head<3>() + w.cross(Vector3d(body.c.col(k))) +
                       body.shapes.middleRows(6 * k, 3) * rate.tail<3>();
    const Vector3d spin = w + body.shapes.middleRows(6 * k + 3, 3) * rate.tail<3>();
    energy += 0.5 * v.dot(body.lumped.row(k).head<3>().transpose().cwiseProduct(v));
    energy += 0.5 * spin.dot(body.lumped.row(k).tail<3>().transpose().cwiseProduct(spin));
  }
  EXPECT_NEAR(0.5 * rate.dot(M * rate), energy, tolerance(1e-12) * energy);
}

// Sizes that do not fit are refused before anything is summed.
TEST(InertiaInvariants, RefuseSizesThatDoNotFit) {
  const Matter body = random_matter(9, 3, 2, true);
  EXPECT_THROW(invariants_from_lumped(body.c, body.shapes.topRows(12), body.lumped), ModelError);
}

}  // namespace
}  // namespace femflex
