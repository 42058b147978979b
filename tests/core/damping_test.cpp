// Tests damping ratios and damping coefficients. Truth: critical damping 2 sqrt(k m), computed by
// hand.
#include "femflex/damping.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/frequency.h"

namespace femflex {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Truth: critical damping of m = 4 kg on k = 9 N/m is 2 * 6 N s/m.
TEST(Damping, ARatioIsAShareOfCriticalDamping) {
  EXPECT_EQ(damping_from_ratio(1.0, 9.0, 4.0), 12.0);
  EXPECT_EQ(damping_from_ratio(0.25, 9.0, 4.0), 3.0);
  EXPECT_EQ(ratio_from_damping(3.0, 9.0, 4.0), 0.25);
}

TEST(Damping, AnUnknownRatioDampsNothing) {
  EXPECT_EQ(damping_from_ratio(kNan, 9.0, 4.0), 0.0);
  EXPECT_EQ(damping_from_ratio(kInfinity, 9.0, 4.0), 0.0);
  EXPECT_EQ(damping_from_ratio(-kInfinity, 9.0, 4.0), 0.0);
}

// A rigid motion has no critical damping: k is zero, or negative by round-off.
TEST(Damping, ARigidMotionHasNeitherDampingNorRatio) {
  for (const double k : {0.0, -1e-9, kNan, -kInfinity}) {
    EXPECT_EQ(damping_from_ratio(0.1, k, 4.0), 0.0) << k;
    EXPECT_TRUE(std::isnan(ratio_from_damping(3.0, k, 4.0))) << k;
  }
  EXPECT_EQ(damping_from_ratio(0.1, 9.0, 0.0), 0.0);
}

// An overflow of k m must be reported, except for a mode without damping.
TEST(Damping, AnInfiniteStiffnessGivesInfiniteDamping) {
  EXPECT_EQ(damping_from_ratio(0.1, kInfinity, 4.0), kInfinity);
  EXPECT_EQ(damping_from_ratio(0.0, kInfinity, 4.0), 0.0);
  EXPECT_EQ(ratio_from_damping(3.0, kInfinity, 4.0), 0.0);
}

TEST(Damping, AdamsTakesOneTenAndHundredPerCentByBands) {
  EXPECT_EQ(adams_damping_ratio(0.0), 0.01);
  EXPECT_EQ(adams_damping_ratio(99.999), 0.01);
  EXPECT_EQ(adams_damping_ratio(100.0), 0.1);
  EXPECT_EQ(adams_damping_ratio(1000.0), 1.0);
  EXPECT_EQ(adams_damping_ratio(kNan), 0.01);  // a frequency that is not known
}

TEST(Damping, AMatrixOfTheBodyComesBeforeItsRatios) {
  FlexBody body;
  body.shapes.resize(0, 3);
  body.mass = 4.0 * Eigen::Matrix3d::Identity();
  body.stiffness = Eigen::Vector3d(9.0, -1e-9, 9.0).asDiagonal();
  body.modes.resize(3);
  body.modes[0].damping_ratio = 0.5;
  body.modes[1].damping_ratio = 0.5;
  EXPECT_TRUE(
      damping_matrix(body).isApprox(Eigen::Matrix3d(Eigen::Vector3d(6.0, 0.0, 0.0).asDiagonal())));
  body.modes.resize(1);
  EXPECT_EQ(damping_matrix(body)(0, 0), 6.0);
  body.damping = Eigen::Matrix3d::Constant(7.0);
  EXPECT_EQ(damping_matrix(body), *body.damping);
}

// omega = 2 pi f; round-off of a rigid motion may be negative, and an unknown eigenvalue stays NaN.
TEST(Frequency, OfAnEigenvalue) {
  const double omega = 2.0 * std::numbers::pi * 12.5;
  EXPECT_DOUBLE_EQ(frequency_hz(omega * omega), 12.5);
  EXPECT_EQ(frequency_hz(0.0), 0.0);
  EXPECT_EQ(frequency_hz(-1e-9), 0.0);
  EXPECT_TRUE(std::isnan(frequency_hz(kNan)));
}

// Truth: two unit masses, each on a spring 1 and joined by a spring 4: modes (1, 1) and (1, -1)
// with omega 1 and 3. Ratios 0.1 and 0.2 give V' d V = diag(0.2, 1.2).
TEST(Damping, TrueModesHaveTheirRatios) {
  const double half = std::sqrt(0.5);
  const Eigen::MatrixXd V{{half, half}, {half, -half}};
  const Eigen::MatrixXd d = true_mode_damping(
      Eigen::MatrixXd::Identity(2, 2), V, Eigen::Vector2d(1.0, 9.0), Eigen::Vector2d(0.1, 0.2));
  EXPECT_NEAR(d(0, 0), 0.7, 1e-15);
  EXPECT_NEAR(d(1, 1), 0.7, 1e-15);
  EXPECT_NEAR(d(0, 1), -0.5, 1e-15);
}

// A rigid motion has no frequency, thus no ratio; its computed eigenvalue may lie above zero.
TEST(Damping, TrueModesThatAreRigidHaveNone) {
  const Eigen::MatrixXd d = true_mode_damping(Eigen::MatrixXd::Identity(3, 3),
                                              Eigen::MatrixXd::Identity(3, 3),
                                              Eigen::Vector3d(-1e-13, 3e-12, 4.0),
                                              Eigen::Vector3d::Constant(0.02));
  EXPECT_EQ(d(0, 0), 0.0);
  EXPECT_EQ(d(1, 1), 0.0);
  EXPECT_NEAR(d(2, 2), 0.08, 1e-15);
}

}  // namespace
}  // namespace femflex
