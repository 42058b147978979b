// Tests a flexible body as a part.
#include "femflex/substructure/flex_part.h"

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "examples.h"
#include "support/support.h"

namespace femflex::substructure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::tolerance;

constexpr double kMass = 3.0;
constexpr double kStiffness = 5e4;
constexpr double kLength = 2.0;

/// Two point masses on a spring along x, its stretching as the only mode.
FlexBody dumbbell() {
  FlexBody body;
  body.name = "dumbbell";
  body.nodes = {{1, {0.0, 0.0, 0.0}}, {2, {kLength, 0.0, 0.0}}};
  body.shapes = MatrixXd::Zero(12, 1);
  body.shapes(0, 0) = -0.5;
  body.shapes(6, 0) = 0.5;
  body.modes.resize(1);
  body.mass = MatrixXd::Constant(1, 1, 0.5 * kMass);
  body.stiffness = MatrixXd::Constant(1, 1, kStiffness);
  body.lumped_mass = MatrixXd::Zero(2, 6);
  body.lumped_mass.leftCols(3).setConstant(kMass);
  body.lumped_mass.rightCols(3).setConstant(0.01);
  Eigen::Matrix3Xd places(3, 2);
  places << 0.0, kLength, 0.0, 0.0, 0.0, 0.0;
  body.invariants = invariants_from_lumped(places, body.shapes, body.lumped_mass);
  body.interface_nodes = {1, 2};
  return body;
}

// Truth: two masses and a spring; y and z move with the masses alone, as rotations do not move
// along x.
TEST(FlexPart, OfADumbbellAlongItsAxisIsMassesAndSpring) {
  const DynamicStiffness part = from_flex_body(dumbbell(), {}, "1");
  EXPECT_EQ(part.ports, (std::vector<std::string>{"1/T1", "2/T1"}));
  EXPECT_EQ(part.size(), 7);
  const MatrixXd K = MatrixXd(part.coefficients[0]).topLeftCorner(2, 2);
  const MatrixXd M = MatrixXd(part.coefficients[2]).topLeftCorner(2, 2);
  const Eigen::Matrix2d link = (Eigen::Matrix2d() << 1.0, -1.0, -1.0, 1.0).finished();
  EXPECT_LT(testing::relative_difference(K, kStiffness * link), tolerance(1e-12));
  EXPECT_LT(testing::relative_difference(M, kMass * Eigen::Matrix2d::Identity()), tolerance(1e-12));
}

// Truth: the same body without its second mode, which is disabled and comes before an enabled one.
TEST(FlexPart, HasTheEnabledModesAlone) {
  FlexBody body = dumbbell();
  body.shapes.conservativeResize(Eigen::NoChange, 2);
  body.shapes.col(1) = body.shapes.col(0);
  body.shapes.col(0) = 0.3 * VectorXd::Unit(12, 7);
  body.modes.resize(2);
  body.modes[0].enabled = false;
  body.mass = Eigen::Vector2d(0.2, 0.5 * kMass).asDiagonal();
  body.stiffness = Eigen::Vector2d(10.0, kStiffness).asDiagonal();
  Eigen::Matrix3Xd places(3, 2);
  places << 0.0, kLength, 0.0, 0.0, 0.0, 0.0;
  body.invariants = invariants_from_lumped(places, body.shapes, body.lumped_mass);
  const DynamicStiffness part = from_flex_body(body, {}, "1");
  const DynamicStiffness expected = from_flex_body(dumbbell(), {}, "1");
  ASSERT_EQ(part.size(), expected.size());
  for (std::size_t k = 0; k < expected.coefficients.size(); ++k)
    EXPECT_LT(testing::relative_difference(MatrixXd(part.coefficients[k]),
                                           MatrixXd(expected.coefficients[k])),
              tolerance(1e-12));
}

// Truth: the body is free in space, and swings at sqrt(2 k / m).
TEST(FlexPart, IsFreeInSpaceAndKeepsItsFrequency) {
  const Poles found = poles(from_flex_body(dumbbell(), {}, "123"), {});
  EXPECT_EQ((found.values.array() == 0.0).count(), 12);
  EXPECT_NEAR(std::abs(found.values(found.values.size() - 1)),
              std::sqrt(2.0 * kStiffness / kMass),
              tolerance(1e-10) * std::sqrt(2.0 * kStiffness / kMass));
}

TEST(FlexPart, TakesTheDampingRatioOfItsModes) {
  FlexBody body = dumbbell();
  body.modes[0].damping_ratio = 0.05;
  const Poles found = poles(from_flex_body(body, {}, "1"), {});
  const std::complex<double> last = found.values(found.values.size() - 1);
  EXPECT_NEAR(-last.real() / std::abs(last), 0.05, tolerance(1e-9));
}

TEST(FlexPart, SaysThatTwoPortsCannotMoveApart) {
  // y of both ends and rotation about z of one: the modes do not bend
  EXPECT_THROW(from_flex_body(dumbbell(), {}, "126"), ModelError);
  EXPECT_THROW(from_flex_body(dumbbell(), {7}, "1"), ModelError);
  EXPECT_THROW(from_flex_body(dumbbell(), {1}, "7"), ModelError);
}

// A body made of arrays may have no name.
TEST(FlexPart, SaysWhichNodeABodyWithoutNameLacks) {
  FlexBody body = dumbbell();
  body.name.clear();
  try {
    from_flex_body(body, {1, 99}, "1");
    ADD_FAILURE() << "node 99 was taken";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.message(), "the body has no node 99");
    EXPECT_FALSE(error.fix().empty());
  }
}

}  // namespace
}  // namespace femflex::substructure
