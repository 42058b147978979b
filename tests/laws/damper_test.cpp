// Tests laws of dampers. Truth: the polynomial, its derivative and its roots at chosen numbers.
#include "femflex/laws/damper.h"

#include <limits>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::laws {
namespace {

using testing::tolerance;

// Truth: c (v + c2 v |v| + c3 v^3) and its derivative, at 2 m/s and -2 m/s.
TEST(Dampers, GrowWithTheSpeedAlikeInBothDirections) {
  const Damper damper{3.0, {0.5, 0.25}};
  EXPECT_NEAR(damper.force(2.0), 3.0 * (2.0 + 2.0 + 2.0), tolerance(1e-14));
  EXPECT_NEAR(damper.force(-2.0), -18.0, tolerance(1e-14));
  EXPECT_NEAR(damper.damping(-2.0), 3.0 * (1.0 + 2.0 + 3.0), tolerance(1e-14));
}

// Truth: the smallest positive root of 1 + c2 s + c3 s^2: 1/20; 1/2 of the roots (1/2, 1); 1/2 of
// the roots (-1/2, 1/2); none.
TEST(Dampers, DriveBeyondTheFirstRootOfTheirFactor) {
  EXPECT_NEAR((DampingGrowth{-20.0, 0.0}.driving_speed()), 0.05, tolerance(1e-15));
  EXPECT_NEAR((DampingGrowth{-3.0, 2.0}.driving_speed()), 0.5, tolerance(1e-15));
  EXPECT_NEAR((DampingGrowth{0.0, -4.0}.driving_speed()), 0.5, tolerance(1e-15));
  // the root of 1 + s - 1e-12 s^2 is 1e12 + 1; the other root formula would lose 4 digits
  EXPECT_NEAR((DampingGrowth{1.0, -1e-12}.driving_speed() / (1e12 + 1.0)), 1.0, tolerance(1e-15));
  EXPECT_EQ((DampingGrowth{-1.0, 1.0}.driving_speed()), std::numeric_limits<double>::infinity());
  EXPECT_EQ(DampingGrowth{}.driving_speed(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace femflex::laws
