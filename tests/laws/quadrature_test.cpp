// Tests the integral of force laws, whose pieces are halved until that changes less than 1e-11.
// Truth: closed forms.
#include "femflex/laws/quadrature.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::laws {
namespace {

using testing::tolerance;

TEST(Integral, OfAStopIsExactJustBehindItsFreeTravel) {
  const auto stop = [](double e) { return e > 0.1 ? 1e6 * (e - 0.1) : 0.0; };
  for (const double e : {0.05, 0.1, 0.1001, 0.1004, 0.1005, 0.101, 0.105, 0.2, 3.0}) {
    const double exact = e > 0.1 ? 0.5e6 * (e - 0.1) * (e - 0.1) : 0.0;
    EXPECT_NEAR(integral_from_zero(e, stop), exact, tolerance(1e-9) * exact) << e;
  }
}

TEST(Integral, OfAPeriodicMomentIsExactAfterManyTurns) {
  for (const double rate : {1.0, 4.0}) {
    const auto moment = [&](double e) { return 10.0 * std::sin(rate * e); };
    for (const double e : {0.5, 20.3, 31.7, 41.0 * M_PI, -61.0 * M_PI})
      EXPECT_NEAR(
          integral_from_zero(e, moment), 10.0 / rate * (1.0 - std::cos(rate * e)), tolerance(1e-10))
          << rate << " " << e;
  }
}

TEST(Integral, OfJumpsPowersAndNothing) {
  const auto jump = [](double e) { return e < -0.3 ? -2.0 : 1.0; };
  EXPECT_NEAR(integral_from_zero(-1.0, jump), -0.3 + 1.4, tolerance(1e-10));
  EXPECT_NEAR(
      integral_from_zero(2.0, [](double e) { return std::pow(e, 9.0); }), 102.4, tolerance(1e-12));
  EXPECT_NEAR(
      integral_from_zero(4.0, [](double e) { return std::sqrt(e); }), 16.0 / 3.0, tolerance(1e-10));
  EXPECT_EQ(integral_from_zero(0.0, jump), 0.0);
  EXPECT_EQ(integral_from_zero(1.0, [](double) { return 0.0; }), 0.0);
}

// At rest these laws are 0 / 0, or act only between two lengths.
TEST(Integral, OfLawsWithAHoleAtRestAndOfPulses) {
  const auto power = [](double e) { return 1e3 * std::pow(std::abs(e), 1.5) * e / std::abs(e); };
  EXPECT_NEAR(integral_from_zero(0.01, power), 0.004, tolerance(1e-11));
  EXPECT_NEAR(integral_from_zero(-0.01, power), 0.004, tolerance(1e-11));
  for (const double to : {0.2, 0.5, 0.9, 1.0, 1.1})
    for (const double from : {0.02, 0.05, 0.14})
      EXPECT_NEAR(integral_from_zero(
                      to, [&](double e) { return e > from && e < from + 0.06 ? 50.0 : 0.0; }),
                  3.0,
                  tolerance(1e-9))
          << from << " " << to;
}

TEST(Integral, OfWhatIsNotFiniteIsNotANumber) {
  EXPECT_TRUE(std::isnan(integral_from_zero(1.0, [](double e) { return std::log(e - 0.5); })));
  EXPECT_TRUE(std::isnan(
      integral_from_zero(1.0, [](double) { return std::numeric_limits<double>::infinity(); })));
}

}  // namespace
}  // namespace femflex::laws
