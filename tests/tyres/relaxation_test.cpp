// Tests the lag of the contact patch: steady state, relaxation length, behaviour at standstill.
#include "femflex/tyres/relaxation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

using tyres::Deflection;
using tyres::PatchDirection;

constexpr double kLowSpeed = 2.5;

/// Rate of a given deflection at a speed [m/s].
double rate_at(const PatchDirection& patch, double speed, double u) {
  return tyres::deflection_of(patch, speed, tyres::standstill_share(speed, kLowSpeed), u, 0.0).rate;
}

// Truth: the definitions of the slips for a constant deflection, eq. (1).
TEST(Relaxation, TheSteadyStateHasTheSlipsOfTheWheel) {
  const PatchDirection along = {.sigma = 0.4, .slip_speed = 0.6};
  const PatchDirection across = {.sigma = 0.7, .slip_speed = -0.9};
  EXPECT_NEAR(rate_at(along, 12.0, -0.6 / 12.0 * 0.4), 0.0, tolerance(1e-15));
  EXPECT_NEAR(rate_at(across, 12.0, 0.9 / 12.0 * 0.7), 0.0, tolerance(1e-15));
}

// Truth: after a step of the slip, the difference from the steady state decays as exp(-x / sigma)
// over the distance x. At any speed it is 1/e after one relaxation length.
TEST(Relaxation, AStepDecaysOverTheRelaxationLength) {
  const double sigma = 0.7;
  for (const double V : {kLowSpeed, 25.0}) {
    const PatchDirection patch = {.sigma = sigma, .slip_speed = 0.05 * V};
    double v = 0.0;
    const int steps = 1000;
    const double h = sigma / V / steps;
    for (int i = 0; i < steps; ++i)  // midpoint rule with the error (h V / sigma)^2 / 6
      v += h * rate_at(patch, V, v + 0.5 * h * rate_at(patch, V, v));
    EXPECT_NEAR(-v / sigma / 0.05, 1.0 - std::exp(-1.0), tolerance(1e-6));
  }
}

// Truth: eq. (6a) by hand; its share of standstill is 1 at rest, 1/2 at half the low speed and 0
// from the low speed on.
TEST(Relaxation, AtStandstillASlippingPatchRelaxesByTheDistanceItSlips) {
  const PatchDirection patch = {.sigma = 0.1, .slip_speed = 1.0};
  EXPECT_NEAR(rate_at(patch, 0.0, 0.01), -1.0 - 1.0 / 0.1 * 0.01, tolerance(1e-15));
  EXPECT_NEAR(rate_at(patch, 1.25, 0.01), -1.0 - (1.25 + 0.5) / 0.1 * 0.01, tolerance(1e-15));
  EXPECT_NEAR(rate_at(patch, 3.0, 0.01), -1.0 - 3.0 / 0.1 * 0.01, tolerance(1e-15));
  EXPECT_EQ(rate_at({.sigma = 0.1, .slip_speed = 0.3}, 0.0, 0.0), -0.3);
}

// Truth: the time constant of eq. (6a), which is full at rest and vanishes at the low speed.
TEST(Relaxation, DampingEndsAtTheLowSpeed) {
  const PatchDirection patch = {.sigma = 0.1, .damping_time = 0.02};
  const Deflection at = {.u = 0.01, .rate = -0.3};
  const auto damped = [&](double speed) {
    return tyres::damped_deflection(patch, at, tyres::standstill_share(speed, kLowSpeed));
  };
  EXPECT_NEAR(damped(0.0), 0.01 - 0.02 * 0.3, tolerance(1e-15));
  EXPECT_EQ(damped(kLowSpeed), 0.01);
}

// Truth: eq. (6d) by hand, on both sides.
TEST(Relaxation, WhatExceedsSlidingDecays) {
  const PatchDirection still = {.sigma = 0.1, .damping_time = 0.02, .sliding = 0.004};
  EXPECT_EQ(rate_at(still, 0.0, 0.003), 0.0);
  EXPECT_NEAR(rate_at(still, 0.0, 0.01), -10.0 / 0.02 * 0.006, tolerance(1e-14));
  EXPECT_NEAR(rate_at(still, 0.0, -0.01), 10.0 / 0.02 * 0.006, tolerance(1e-14));
}

// Truth: the deflection fulfils the rule of the integrator and, as a given one, has the same rate.
TEST(Relaxation, TheRuleOfTheIntegratorHoldsWithAndWithoutSliding) {
  const double gain = 0.01, speed = 0.5, share = tyres::standstill_share(speed, kLowSpeed);
  for (const double slip_speed : {-0.2, 3.0}) {
    const PatchDirection patch = {
        .sigma = 0.1, .slip_speed = slip_speed, .damping_time = 0.02, .sliding = 0.004};
    for (const double constant : {0.001, 0.03}) {
      const Deflection at = tyres::deflection_of(patch, speed, share, constant, gain);
      EXPECT_NEAR(at.u, constant + gain * at.rate, tolerance(1e-15));
      EXPECT_NEAR(rate_at(patch, speed, at.u), at.rate, tolerance(1e-13));
    }
  }
}

}  // namespace
}  // namespace femflex::testing
