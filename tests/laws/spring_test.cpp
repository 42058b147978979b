// Tests laws of springs. Truth: central differences of their energies, and closed forms at single
// points.
#include "femflex/laws/spring.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::laws {
namespace {

using testing::tolerance;

const Curve& curve() {
  static const Curve law({-0.4, 0.0, 0.3, 0.9},
                         {-30.0, 0.0, 12.0, 80.0},
                         Curve::Kind::akima,
                         Curve::Beyond::extrapolate,
                         "pull");
  return law;
}
const Formula& formula() {
  static const Formula law("40*e + 7*(L^2 - d^2)*L", {"e", "L", "d"});
  return law;
}

/// Calls use(law) for one law of each kind with the free length 0.8 m.
template <typename Use>
void for_each_law(const Use& use) {
  use(LinearSpring{40.0, 0.8});
  use(QuarticSpring{25.0, 0.8});
  use(CurveSpring{curve(), 0.8});
  use(FormulaSpring{formula(), 0.8});
}

// Truth: central differences; their error is h^2 / 6 times the third derivative.
TEST(Springs, HaveForcesAndStiffnessesThatAreTheDerivativesOfTheirEnergies) {
  constexpr double kStep = 1e-5;
  for_each_law([](const auto& law) {
    for (const double length : {0.5, 0.85, 1.0, 1.4}) {
      const double force =
          (law.energy(length + kStep) - law.energy(length - kStep)) / (2.0 * kStep);
      const double stiffness =
          (law.force(length + kStep) - law.force(length - kStep)) / (2.0 * kStep);
      EXPECT_NEAR(law.force(length), force, tolerance(1e-7) * (1.0 + std::abs(force)));
      EXPECT_NEAR(law.stiffness(length), stiffness, tolerance(1e-7) * (1.0 + stiffness));
    }
    EXPECT_NEAR(law.energy(0.8), 0.0, tolerance(1e-14));
  });
}

// Truth: the same law as a function of the length L: over_length = F / L, and over_length + slope
// L^2 = dF / dL.
TEST(Springs, GiveTheSameForceAsAVectorAsByTheirLength) {
  for_each_law([](const auto& law) {
    for (const double length : {0.5, 0.85, 1.4}) {
      const CentralForce central = central_force(law, length * length);
      EXPECT_NEAR(central.over_length * length, law.force(length), tolerance(1e-13));
      EXPECT_NEAR(central.over_length + central.slope * length * length,
                  law.stiffness(length),
                  tolerance(1e-12));
      EXPECT_EQ(force_over_length(law, length * length), central.over_length);
      EXPECT_NEAR(energy_of_square(law, length * length), law.energy(length), tolerance(1e-14));
    }
  });
}

// Truth: at length 0 there is no direction and therefore no force. If the free length is 0 too, the
// stiffness is k in every direction.
TEST(Springs, DoNotPushWhereTheyHaveNoLength) {
  EXPECT_EQ(central_force(LinearSpring{3.0, 0.5}, 0.0).over_length, 0.0);
  EXPECT_EQ(central_force(LinearSpring{3.0, 0.0}, 0.0).over_length, 3.0);
  EXPECT_EQ(central_force(CurveSpring{curve(), 0.5}, 0.0).over_length, 0.0);
}

// Truth: E A / d of a steel bar with a section of 10 x 10 mm and a length of 2 m.
TEST(Springs, OfABarHaveItsAxialStiffness) {
  EXPECT_NEAR(axial_stiffness(210e9, 1e-4, 2.0), 1.05e7, tolerance(1e-12) * 1.05e7);
}

// Truth: the given limits.
TEST(BreakLimits, TellHowFarASpringIsFromTheNearerOne) {
  const BreakLimits limits{.force = 10.0, .elongation = 0.5};
  EXPECT_TRUE(limits.are_kept(-10.0, 0.5));
  EXPECT_FALSE(limits.are_kept(-10.1, 0.0));
  EXPECT_FALSE(limits.are_kept(0.0, 0.51));
  EXPECT_NEAR(limits.margin(-8.0, 0.3), 0.2, tolerance(1e-15));
  EXPECT_LT(limits.margin(1.0, 0.6), 0.0);
  EXPECT_EQ(BreakLimits{}.margin(1e9, 1e9), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace femflex::laws
