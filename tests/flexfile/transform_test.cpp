// Tests bodies that are moved, rotated, mirrored, or reduced to fewer modes and nodes.
#include "femflex/flexfile/transform.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/frames.h"

#include "bodies.h"
#include "equations.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing::relative_difference;
using testing::tolerance;

FlexBody body_of_points(unsigned seed) {
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  return testing::random_body(seed, options);
}

InertiaInvariants recomputed(const FlexBody& body) {
  Eigen::Matrix3Xd c(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k)
    c.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  return invariants_from_lumped(c, body.shapes, body.lumped_mass);
}

void expect_same(const InertiaInvariants& i, const InertiaInvariants& j, double tol) {
  EXPECT_NEAR(i.mass, j.mass, tol * j.mass);
  EXPECT_LE(relative_difference(i.first_moment, j.first_moment), tol);
  EXPECT_LE(relative_difference(i.translation, j.translation), tol);
  EXPECT_LE(relative_difference(i.rotation, j.rotation), tol);
  EXPECT_LE(relative_difference(i.translation_rate, j.translation_rate), tol);
  EXPECT_LE(relative_difference(i.modal, j.modal), tol);
  EXPECT_LE(relative_difference(i.inertia, j.inertia), tol);
  EXPECT_LE(relative_difference(i.inertia_rate, j.inertia_rate), tol);
  EXPECT_LE(relative_difference(i.inertia_curvature, j.inertia_curvature), tol);
}

/// Modal stiffness added by a motion of the body origin.
MatrixXd stiffening(const FlexBody& body,
                    const Vector3d& a,
                    const Vector3d& alpha,
                    const Vector3d& w) {
  using Cause = GeometricStiffness::Cause;
  const double spin[] = {
      w.x() * w.x(), w.y() * w.y(), w.z() * w.z(), w.x() * w.y(), w.y() * w.z(), w.x() * w.z()};
  MatrixXd k = MatrixXd::Zero(body.mode_count(), body.mode_count());
  for (const GeometricStiffness& g : body.geometric) {
    const auto c = static_cast<std::size_t>(g.cause);
    if (g.cause <= Cause::acceleration_z)
      k += a(static_cast<Index>(c)) * g.stiffness;
    else if (g.cause <= Cause::angular_acceleration_z)
      k += alpha(static_cast<Index>(c - 3)) * g.stiffness;
    else if (g.cause <= Cause::spin_xz)
      k += spin[c - 6] * g.stiffness;
  }
  return k;
}

// Truth: the definitions at the moved nodes, for random bodies, turns and shifts.
TEST(Transform, MovesInvariantsAsParallelAxisRulesSay) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const FlexBody body = body_of_points(seed);
    const Matrix3d R = Eigen::AngleAxisd(0.1 + seed, Vector3d(1, seed, -2).normalized()).matrix();
    Diagnostics diagnostics;
    const FlexBody moved = transformed(body, R, {0.3, -1.0, 0.2 * seed}, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    expect_same(moved.invariants, recomputed(moved), tolerance(1e-11));
    for (const ConsistencyCheck& check : consistency_checks(moved.invariants, false))
      EXPECT_LE(check.residual, tolerance(1e-10)) << check.name;
  }
}

// A mirror is its own inverse, to the last bits.
TEST(Transform, MirroringTwiceIsTheIdentity) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const FlexBody body = testing::random_body(seed);
    Diagnostics diagnostics;
    const Matrix3d axis = mirror(Vector3d::Unit(static_cast<Index>(seed % 3)));
    EXPECT_EQ(
        testing::difference(transformed(transformed(body, axis, Vector3d::Zero(), diagnostics),
                                        axis,
                                        Vector3d::Zero(),
                                        diagnostics),
                            body),
        "");
    EXPECT_TRUE(diagnostics.empty());
    const FlexBody point = body_of_points(seed);
    const Matrix3d Q = mirror({1.0, 0.3 * seed, -0.5});
    const FlexBody twice = transformed(
        transformed(point, Q, Vector3d::Zero(), diagnostics), Q, Vector3d::Zero(), diagnostics);
    EXPECT_LE(relative_difference(twice.shapes, point.shapes), tolerance(1e-14));
    expect_same(twice.invariants, point.invariants, tolerance(1e-13));
  }
}

// Truth: a moving observer sees the same stiffness. The old origin is accelerated by
// a + w' x o + w x (w x o).
TEST(Transform, StiffeningByMotionStaysTheSameMotion) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const FlexBody body = body_of_points(seed);
    const Matrix3d R = Eigen::AngleAxisd(0.4 + seed, Vector3d(2, 1, -2).normalized()).matrix();
    const Vector3d o(0.3, -1.0, 0.7);
    Diagnostics diagnostics;
    const FlexBody moved = transformed(body, R, o, diagnostics);
    const testing::Motion s = testing::random_motion(seed, 1);
    const Vector3d at_old = s.a + s.w_dot.cross(o) + s.w.cross(s.w.cross(o));
    EXPECT_LE(
        relative_difference(
            stiffening(moved, s.a, s.w_dot, s.w),
            stiffening(body, R.transpose() * at_old, R.transpose() * s.w_dot, R.transpose() * s.w)),
        tolerance(1e-12));
  }
}

// Truth: energy is energy: zeta keeps its numbers, so zeta' k zeta / 2 in mm-t-s is in millijoule.
TEST(Transform, UnitsThereAndBackAreTheIdentityAndScaleEnergies) {
  const FlexBody body = body_of_points(4);
  const Units mm = parse_units("mm-t-s");
  const FlexBody there = to_units(body, mm);
  EXPECT_LE(relative_difference(there.stiffness, 1e3 * body.stiffness), tolerance(1e-14));
  EXPECT_NEAR(there.invariants.mass, 1e-3 * body.invariants.mass, 1e-15);
  expect_same(there.invariants, recomputed(there), tolerance(1e-12));
  const FlexBody again = from_units(there, mm);
  EXPECT_LE(relative_difference(again.shapes, body.shapes), tolerance(1e-14));
  EXPECT_LE(relative_difference(*again.damping, *body.damping), tolerance(1e-14));
  EXPECT_NEAR(again.modes[0].eigenvalue, body.modes[0].eigenvalue, 1e-9 * body.modes[0].eigenvalue);
}

// Truth: the definitions with fewer shapes.
TEST(Transform, SubsetOfModesKeepsTheirInvariantsAndWayBack) {
  const FlexBody body = body_of_points(6);
  const FlexBody subset = with_modes(body, {2, 0});
  ASSERT_EQ(subset.mode_count(), 2);
  EXPECT_EQ(subset.shapes.col(0), body.shapes.col(2));
  EXPECT_EQ(subset.modes[0].sources, body.modes[2].sources);
  EXPECT_EQ(subset.stiffness(0, 1), body.stiffness(2, 0));
  EXPECT_EQ(subset.back->V.col(1), body.back->V.col(0));
  expect_same(subset.invariants, recomputed(subset), tolerance(1e-12));
  EXPECT_NO_THROW(make_flex_body(subset));
  EXPECT_THROW(with_modes(body, {0, 0}), UsageError);
  EXPECT_THROW(with_modes(body, {4}), UsageError);
}

// Fewer nodes to look at, the same matter.
TEST(Transform, SubsetOfNodesKeepsMassAndInvariants) {
  const FlexBody body = testing::random_body(7);
  const std::vector<std::int64_t> ids{body.nodes[4].id, body.nodes[1].id, body.nodes[0].id};
  const FlexBody subset = with_nodes(body, ids);
  ASSERT_EQ(subset.nodes.size(), 3U);
  EXPECT_EQ(subset.nodes[2].id, body.nodes[4].id);
  EXPECT_EQ(subset.shapes.middleRows(12, 6), body.shapes.middleRows(24, 6));
  expect_same(subset.invariants, body.invariants, 0.0);
  EXPECT_EQ(subset.interface_nodes, std::vector<std::int64_t>{body.nodes[0].id});
  ASSERT_EQ(subset.elements.size(), 1U);
  EXPECT_EQ(subset.elements[0].type, "CBAR");
  EXPECT_NO_THROW(make_flex_body(subset));
  EXPECT_THROW(with_nodes(body, {9999}), UsageError);
}

TEST(Transform, SaysWhenTurnedRotaryInertiasLoseEntries) {
  const FlexBody body = testing::random_body(8);
  Diagnostics diagnostics;
  transformed(
      body, Eigen::AngleAxisd(0.5, Vector3d::UnitZ()).matrix(), Vector3d::Zero(), diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "lumped-mass-turned");
  EXPECT_THROW(transformed(body, 2.0 * Matrix3d::Identity(), Vector3d::Zero(), diagnostics),
               UsageError);
}

}  // namespace
}  // namespace femflex::flexfile
