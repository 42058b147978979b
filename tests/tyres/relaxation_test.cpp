// Tests the lag of the contact patch: steady state, relaxation length, behaviour at standstill.
#include "femflex/tyres/relaxation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

using tyres::DeflectionSlips;
using tyres::SlipSpeeds;
using tyres::TyreDeflection;

// Truth: the definitions of the slips for a constant deflection.
TEST(Relaxation, TheSteadyStateHasTheSlipsOfTheWheel) {
  const SlipSpeeds speeds = {-12.0, 0.6, -0.9};
  const TyreDeflection steady = {-0.6 / 12.0 * 0.4, 0.9 / 12.0 * 0.7};
  const TyreDeflection rates = tyres::deflection_rates(steady, speeds, 0.4, 0.7);
  EXPECT_NEAR(rates.u, 0.0, tolerance(1e-15));
  EXPECT_NEAR(rates.v, 0.0, tolerance(1e-15));
  const DeflectionSlips slips = tyres::slips_of(steady, 0.4, 0.7);
  EXPECT_NEAR(slips.kappa, -0.6 / 12.0, tolerance(1e-15));
  EXPECT_NEAR(slips.alpha, std::atan(-0.9 / 12.0), tolerance(1e-15));
}

// Truth: after a step of the slip, the difference from the steady state decays as exp(-x / sigma)
// over the distance x. At any speed it is 1/e after one relaxation length.
TEST(Relaxation, AStepDecaysOverTheRelaxationLength) {
  const double sigma = 0.7;
  for (const double V : {2.0, 25.0}) {
    const SlipSpeeds speeds = {V, 0.0, 0.05 * V};
    TyreDeflection at;
    const int steps = 1000;
    const double h = sigma / V / steps;
    for (int i = 0; i < steps; ++i) {  // midpoint rule with the error (h V / sigma)^2 / 6
      const TyreDeflection k1 = tyres::deflection_rates(at, speeds, 1.0, sigma);
      const TyreDeflection middle = {at.u + 0.5 * h * k1.u, at.v + 0.5 * h * k1.v};
      at.v += h * tyres::deflection_rates(middle, speeds, 1.0, sigma).v;
    }
    const double reached = std::tan(tyres::slips_of(at, 1.0, sigma).alpha) / 0.05;
    EXPECT_NEAR(reached, 1.0 - std::exp(-1.0), tolerance(1e-6));
  }
}

// Truth: at speed zero, the deflection is the distance by which the contact point has slipped.
TEST(Relaxation, AtStandstillTheTyreIsASpring) {
  const TyreDeflection rates = tyres::deflection_rates({0.01, -0.02}, {0.0, 0.3, -0.4}, 0.4, 0.7);
  EXPECT_EQ(rates.u, -0.3);
  EXPECT_EQ(rates.v, 0.4);
  EXPECT_EQ(tyres::low_speed_damping(100.0, 0.0, 2.5), 50.0);
  EXPECT_EQ(tyres::low_speed_damping(100.0, -2.5, 2.5), 0.0);
}

}  // namespace
}  // namespace femflex::testing
