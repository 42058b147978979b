// Tests lumped nodal masses that represent the invariants of a body.
#include "nodal_masses.h"

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/flexfile/transform.h"
#include "femflex/units.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing::tolerance;

/// A block of bricks of 20 nodes (C3D20) with displacements that such bricks hold exactly:
/// quadratic polynomials. Its consistent mass matrix then gives the integrals over the block, which
/// 3 x 3 x 3 Gauss points give as well: point masses there have the invariants of the body.
class QuadraticBlock {
 public:
  QuadraticBlock(std::array<int, 3> bricks, const Vector3d& size) : bricks_(bricks), size_(size) {
    for (int k = 0; k < bricks[2]; ++k)
      for (int j = 0; j < bricks[1]; ++j)
        for (int i = 0; i < bricks[0]; ++i)
          add_brick({i, j, k});
  }

  FlexBody body() const {
    FlexBody body;
    body.name = "block";
    Eigen::Matrix<double, Eigen::Dynamic, 6> row_sums(static_cast<Index>(sums_.size()), 6);
    row_sums.setZero();
    Eigen::Matrix3Xd places(3, static_cast<Index>(sums_.size()));
    for (const auto& [half_steps, sum] : sums_) {
      const auto at = static_cast<Index>(body.nodes.size());
      const Vector3d c = place_of(half_steps.data());
      body.nodes.push_back({at + 1, c});
      places.col(at) = c;
      row_sums.row(at).head<3>().setConstant(sum);
    }
    body.shapes = shapes_at(places);
    body.lumped_mass = row_sums;
    const Eigen::Map<const Eigen::Matrix3Xd> gauss(
        gauss_.data()->data(), 3, static_cast<Index>(gauss_.size()));
    Eigen::Matrix<double, Eigen::Dynamic, 6> weights(gauss.cols(), 6);
    weights.setZero();
    for (Index g = 0; g < gauss.cols(); ++g)
      weights.row(g).head<3>().setConstant(weight_[static_cast<std::size_t>(g)]);
    body.invariants = invariants_from_lumped(gauss, shapes_at(gauss), weights);
    body.mass = body.invariants.modal;
    body.stiffness = 1e4 * MatrixXd(body.mass.diagonal().asDiagonal());
    body.modes.resize(static_cast<std::size_t>(body.mode_count()));
    return make_flex_body(std::move(body));
  }

 private:
  static constexpr double kDensity = 2900.0;  // [kg/m^3]

  Vector3d place_of(const int* half_steps) const {
    Vector3d c;
    for (Index a = 0; a < 3; ++a)
      c(a) = size_(a) * half_steps[a] / (2.0 * bricks_[static_cast<std::size_t>(a)]);
    return c;
  }

  void add_brick(const std::array<int, 3>& at) {
    const double mass = kDensity * size_.prod() / (bricks_[0] * bricks_[1] * bricks_[2]);
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          const std::array<int, 3> half{2 * at[0] + i, 2 * at[1] + j, 2 * at[2] + k};
          const int middles = (i == 1) + (j == 1) + (k == 1);
          // integrals of the shape functions: -1/8 of the brick at corners, 1/6 at mid-sides
          if (middles <= 1) sums_[half] += middles == 0 ? -mass / 8.0 : mass / 6.0;
          add_gauss_point(at, {i - 1, j - 1, k - 1}, mass);
        }
  }
  void add_gauss_point(const std::array<int, 3>& at, const std::array<int, 3>& side, double mass) {
    const double offset = std::sqrt(0.6);
    Vector3d c;
    double weight = mass;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto axis = static_cast<Index>(a);
      c(axis) = size_(axis) * (at[a] + 0.5 + 0.5 * offset * side[a]) / bricks_[a];
      weight *= (side[a] == 0 ? 8.0 : 5.0) / 18.0;
    }
    gauss_.push_back(c);
    weight_.push_back(weight);
  }

  /// Bending in both planes, twist, stretching and an odd one, at points (3 x any).
  MatrixXd shapes_at(const Eigen::Ref<const Eigen::Matrix3Xd>& points) const {
    MatrixXd shapes = MatrixXd::Zero(6 * points.cols(), 5);
    for (Index k = 0; k < points.cols(); ++k) {
      const Vector3d s = (points.col(k) - 0.5 * size_) / size_.x();
      shapes.col(0).segment<3>(6 * k) << -2.0 * s.x() * s.y(), s.x() * s.x() - 0.08, 0.0;
      shapes.col(1).segment<3>(6 * k) << -2.0 * s.x() * s.z(), 0.0, s.x() * s.x() - 0.08;
      shapes.col(2).segment<3>(6 * k) << 0.0, -s.x() * s.z(), s.x() * s.y();
      shapes.col(3).segment<3>(6 * k) << s.x(), -0.3 * s.y(), -0.3 * s.z();
      shapes.col(4).segment<3>(6 * k) << s.y() * s.z(), s.x() + s.z() * s.z(), s.y() * s.x();
    }
    return shapes;
  }

  std::array<int, 3> bricks_;
  Vector3d size_;
  std::map<std::array<int, 3>, double> sums_;
  std::vector<Vector3d> gauss_;
  std::vector<double> weight_;
};

void expect_rigid_exact(const FlexBody& body, const NodalMasses& masses) {
  Eigen::Matrix3Xd places(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k)
    places.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  const InertiaInvariants made = invariants_from_lumped(places, body.shapes, masses.values);
  const InertiaInvariants& truth = body.invariants;
  EXPECT_NEAR(made.mass, truth.mass, tolerance(1e-12) * truth.mass);
  EXPECT_LE((made.first_moment - truth.first_moment).norm(),
            tolerance(1e-12) * (truth.first_moment.norm() + truth.mass));
  EXPECT_LE((made.inertia - truth.inertia).norm(), tolerance(1e-12) * truth.inertia.norm());
}

// Truth: integrals over the block. Sums of rows of its mass matrix are negative at the 54 corners.
TEST(NodalMasses, OfQuadraticBricksAreNotNegativeAndKeepMassCentreInertiaAndInvariants) {
  const FlexBody body = QuadraticBlock({5, 2, 2}, Vector3d(4.0, 1.0, 1.0)).body();
  ASSERT_EQ(body.node_count(), 171);
  EXPECT_EQ((body.lumped_mass.col(0).array() < 0.0).count(), 54);
  const NodalMasses masses = nodal_masses(body);
  EXPECT_TRUE(masses.is_fitted);
  EXPECT_GE(masses.values.minCoeff(), 0.0);
  EXPECT_FALSE(masses.has_negative);
  EXPECT_EQ(masses.values.col(0), masses.values.col(1));  // MBDyn takes x alone
  EXPECT_EQ(masses.values.col(0), masses.values.col(2));
  expect_rigid_exact(body, masses);
  EXPECT_LE(masses.errors.worst(), 0.01);
}

TEST(NodalMasses, OfMoreBlocksAndUnitsAreNotNegativeAndKeepTheThree) {
  for (const std::array<int, 3>& bricks :
       {std::array<int, 3>{2, 2, 2}, {8, 2, 3}, {3, 4, 2}, {20, 2, 2}}) {
    const FlexBody block = QuadraticBlock(bricks, Vector3d(3.0, 0.5, 0.4)).body();
    for (const FlexBody& body : {block, to_units(block, parse_units("mm-t-s"))}) {
      const NodalMasses masses = nodal_masses(body);
      EXPECT_GE(masses.values.minCoeff(), 0.0) << bricks[0];
      expect_rigid_exact(body, masses);
      EXPECT_LE(masses.errors.worst(), 0.02) << bricks[0] << ' ' << masses.errors.worst_number();
    }
  }
}

// One brick across a square bar: every node lies on the skin, where y^2 + z^2 is h^2 / 4 at least,
// above the h^2 / 6 of the section wherever masses are put. Masses of either sign are exact.
TEST(NodalMasses, WhereAllNodesLieOnTheSkinMassesMayBeNegativeAndAreSaidToBe) {
  const FlexBody body = QuadraticBlock({6, 1, 1}, Vector3d(4.0, 0.3, 0.3)).body();
  const NodalMasses masses = nodal_masses(body);
  EXPECT_TRUE(masses.has_negative);
  expect_rigid_exact(body, masses);
  EXPECT_LE(masses.errors.worst(), 0.01);
  Diagnostics diagnostics;
  warn_of_nodal_masses(masses, "DADS", "", "a.flex", diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "negative-masses");
}

// Truth: the masses that the invariants were made of. Whatever else the body holds.
TEST(NodalMasses, MassesThatExistAreFound) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    testing::RandomBodyOptions options;
    options.nodes = 40;
    options.modes = 3;
    options.rotary_inertia = seed % 2 == 1;
    FlexBody body = testing::random_body(seed, options);
    body.lumped_mass.leftCols<3>().setZero();
    body.lumped_mass.row(3).head<3>().setConstant(-1.0);
    const NodalMasses masses = nodal_masses(body);
    EXPECT_TRUE(masses.is_fitted);
    EXPECT_GE(masses.values.minCoeff(), 0.0);
    EXPECT_LE(masses.errors.worst(), 1e-3) << masses.errors.worst_number();
    EXPECT_LE(masses.errors.rigid(), tolerance(1e-12));
  }
}

// Truth: the body, bit by bit, also where x, y and z have other masses.
TEST(NodalMasses, ThatAreExactStayAsTheyAre) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const FlexBody body = testing::random_body(seed);
    const NodalMasses masses = nodal_masses(body);
    EXPECT_FALSE(masses.is_fitted);
    EXPECT_EQ(masses.values, body.lumped_mass);
    EXPECT_EQ(masses.errors.worst(), 0.0);
  }
  for (const std::string& path : testing::double_mass_spring_paths()) {
    const FlexBody body = testing::double_mass_spring(path);
    EXPECT_EQ(nodal_masses(body).values, body.lumped_mass) << path;
  }
}

// A model in a line has a mass matrix of one direction: 5, 8 and 9 are zero, which says nothing of
// the masses.
TEST(NodalMasses, StayWhereInvariantsAreNotKnown) {
  FlexBody body = testing::random_body(4);
  body.invariants.translation_rate.setZero();
  body.invariants.inertia_rate.setZero();
  body.invariants.inertia_curvature.setZero();
  EXPECT_EQ(nodal_masses(body).values, body.lumped_mass);
}

// MBDyn takes the mass of x for all directions: other masses are corrected for MBDyn, and for MBDyn
// only.
TEST(NodalMasses, AReaderOfOneMassANodeGetsOne) {
  FlexBody body = testing::random_body(3);
  body.lumped_mass.col(1) *= 1.2;
  Eigen::Matrix3Xd places(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k)
    places.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  body.invariants = invariants_from_lumped(places, body.shapes, body.lumped_mass);
  EXPECT_EQ(nodal_masses(body).values, body.lumped_mass);
  const NodalMasses masses = nodal_masses(body, true);
  EXPECT_TRUE(masses.is_fitted);
  EXPECT_EQ(masses.values.col(0), masses.values.col(1));
}

/// Few nodes with the inertia of something larger.
FlexBody few_nodes(const std::vector<Vector3d>& places) {
  FlexBody body;
  for (const Vector3d& c : places)
    body.nodes.push_back({static_cast<std::int64_t>(body.nodes.size()) + 1, c});
  const auto nodes = static_cast<Index>(places.size());
  body.shapes = MatrixXd::Zero(6 * nodes, 1);
  for (Index k = 0; k < nodes; ++k)
    body.shapes(6 * k + 2, 0) = k % 2 == 0 ? 1.0 : -0.5;
  body.lumped_mass.setZero(nodes, 6);
  body.invariants = zero_invariants(1);
  body.invariants.mass = 12.0;
  Vector3d centre = Vector3d::Zero();
  for (const Vector3d& c : places)
    centre += c / static_cast<double>(nodes);
  body.invariants.first_moment = 12.0 * centre;
  Eigen::Matrix3d J = Eigen::Vector3d(5.0, 6.0, 7.0).asDiagonal();
  J += 12.0 * (centre.squaredNorm() * Eigen::Matrix3d::Identity() - centre * centre.transpose());
  body.invariants.inertia = J;
  body.invariants.modal(0, 0) = 3.0;
  body.mass = body.invariants.modal;
  body.stiffness = MatrixXd::Constant(1, 1, 100.0);
  body.modes.resize(1);
  return make_flex_body(std::move(body));
}

// One node, two, three in a line: point masses cannot have the inertia; their own rotary inertia
// supplies it up.
TEST(NodalMasses, OfFewNodesHaveRotaryInertiaOfTheirOwn) {
  for (const std::vector<Vector3d>& places :
       {std::vector<Vector3d>{{0.1, 0.2, 0.3}},
        {{-0.3, 0.0, 0.0}, {0.3, 0.0, 0.0}},
        {{0.0, 0.0, 0.0}, {0.2, 0.0, 0.0}, {0.5, 0.0, 0.0}}}) {
    const FlexBody body = few_nodes(places);
    const NodalMasses masses = nodal_masses(body);
    EXPECT_GE(masses.values.minCoeff(), 0.0);
    expect_rigid_exact(body, masses);
  }
}

// A reader of these files makes its invariants of group 11 alone: its error is reported.
TEST(NodalMasses, FilesThatHoldNothingElseSayHowFarTheirReaderIsOff) {
  const testing::TemporaryFolder folder;
  const FlexBody body =
      few_nodes({{0.0, 0.0, 0.0}, {0.4, 0.0, 0.0}, {0.4, 0.3, 0.0}, {0.0, 0.3, 0.2}});
  ASSERT_GT(nodal_masses(body).errors.worst(), 0.01);
  for (const char* name : {"a.flex", "a.fem", "a.dads"}) {
    Diagnostics diagnostics;
    write_body(body, folder / name, {}, diagnostics);
    bool is_said = false;
    for (const Warning& warning : diagnostics.warnings())
      is_said = is_said || warning.code == "nodal-masses";
    EXPECT_TRUE(is_said) << name;
  }
  Diagnostics diagnostics;
  const FlexBody block = QuadraticBlock({5, 2, 2}, Vector3d(4.0, 1.0, 1.0)).body();
  write_body(block, folder / "b.fem", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  const FlexBody again = read_body(folder / "b.fem", {}, diagnostics);
  EXPECT_GE(again.lumped_mass.minCoeff(), 0.0);
  EXPECT_LE(invariant_errors(again.invariants, block.invariants).worst(), 0.01);
}

}  // namespace
}  // namespace femflex::flexfile
