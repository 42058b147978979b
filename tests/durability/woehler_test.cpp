// Tests damage of loads whose cycles are counted by hand, mean stress rules at their limits, and
// refused curves.
#include "femflex/durability/woehler.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::tolerance;

const WoehlerCurve kSteel = {.name = "steel", .slope = 5.0, .knee = 100e6, .knee_cycles = 2e6};

WoehlerCurve with(BelowKnee below) {
  WoehlerCurve out = kSteel;
  out.below = below;
  return out;
}

WoehlerCurve with(MeanStress mean) {
  WoehlerCurve out = kSteel;
  out.mean = mean;
  out.strength = 500e6;
  out.sensitivity = 0.3;
  return out;
}

// Truth: by hand. 1000 cycles of twice the knee amplitude: N = 2e6 / 2^5.
TEST(Woehler, DamageOfConstantAmplitude) {
  std::vector<double> signal;
  for (int k = 0; k < 1000; ++k)
    signal.insert(signal.end(), {200e6, -200e6});
  signal.push_back(200e6);
  const std::vector<Cycle> cycles = rainflow(signal, Residue::half_cycles);
  EXPECT_NEAR(damage_of(cycles, kSteel), 1000.0 * 32.0 / 2e6, tolerance(1e-14));
}

// Truth: by hand. 1000 cycles of 200 MPa, and 100 000 cycles of 50 MPa, which is below the knee:
// exponent 5 (elementary), exponent 9 (Haibach), no damage (original).
TEST(Woehler, DamageOfTwoLevels) {
  const std::vector<Cycle> cycles = {{400e6, 0.0, 1000.0}, {100e6, 0.0, 1e5}};
  const double high = 1000.0 * 32.0 / 2e6;
  const auto damage = [&](BelowKnee below) { return damage_of(cycles, with(below)); };
  EXPECT_NEAR(damage(BelowKnee::original), high, tolerance(1e-14));
  EXPECT_NEAR(damage(BelowKnee::elementary), high + 1e5 / 32.0 / 2e6, tolerance(1e-14));
  EXPECT_NEAR(damage(BelowKnee::haibach), high + 1e5 / 512.0 / 2e6, tolerance(1e-14));
}

// Truth: at the knee, N is knee_cycles for all three rules.
TEST(Woehler, TheKneeHasItsCycles) {
  for (const BelowKnee below : {BelowKnee::original, BelowKnee::elementary, BelowKnee::haibach})
    EXPECT_EQ(cycles_to_failure(100e6, with(below)), 2e6);
  EXPECT_TRUE(std::isinf(cycles_to_failure(99e6, with(BelowKnee::original))));
  EXPECT_TRUE(std::isinf(cycles_to_failure(0.0, kSteel)));
}

// Truth: the equations of the rules at S_a = 100, R_m = 500, M = 0.3.
TEST(Woehler, MeanStressRules) {
  const auto amplitude = [](MeanStress rule, double mean) {
    return equivalent_amplitude(100e6, mean * 1e6, with(rule)) / 1e6;
  };
  EXPECT_NEAR(amplitude(MeanStress::none, 300), 100.0, tolerance(1e-12));
  EXPECT_NEAR(amplitude(MeanStress::goodman, 250), 200.0, tolerance(1e-12));
  EXPECT_NEAR(amplitude(MeanStress::gerber, 250), 100.0 / 0.75, tolerance(1e-12));
  for (const MeanStress rule : {MeanStress::goodman, MeanStress::gerber}) {
    EXPECT_NEAR(amplitude(rule, -250), 100.0, tolerance(1e-12));
    EXPECT_TRUE(std::isinf(amplitude(rule, 500)));
  }
  EXPECT_NEAR(amplitude(MeanStress::fkm, -200), 70.0, tolerance(1e-12));
  EXPECT_NEAR(amplitude(MeanStress::fkm, -50), 85.0, tolerance(1e-12));
  EXPECT_NEAR(amplitude(MeanStress::fkm, 100), 130.0, tolerance(1e-12));  // R = 0
  EXPECT_NEAR(amplitude(MeanStress::fkm, 200), 1.3 * 120.0 / 1.1, tolerance(1e-12));
  EXPECT_NEAR(amplitude(MeanStress::fkm, 900), 3.0 * 100.0 * 1.69 / 3.3, tolerance(1e-12));
}

// Truth: a mean stress above the strength gives infinite damage instead of a meaningless number.
TEST(Woehler, AMeanAtTheStrengthIsInfiniteDamage) {
  const std::vector<Cycle> cycles = {{1e6, 600e6, 1.0}};
  EXPECT_TRUE(std::isinf(damage_of(cycles, with(MeanStress::goodman))));
}

// Truth: the definition of the scatter, and tables of the normal distribution: u(97.5 %)
// = 1.959964, u(90 %) = 1.281552.
TEST(Woehler, SurvivalMovesTheStrength) {
  EXPECT_NEAR(survival_factor(0.1, 0.9, 1.5), 1.0 / 1.5, tolerance(1e-14));
  EXPECT_NEAR(survival_factor(0.5, 0.9, 1.44), 1.0 / 1.2, tolerance(1e-14));
  EXPECT_NEAR(survival_factor(0.975, 0.5, 1.26),
              std::pow(1.26, 1.959964 / (2.0 * 1.281552)),
              tolerance(1e-6));
  EXPECT_EQ(survival_factor(0.3, 0.3, 2.0), 1.0);
  for (const std::array<double, 3>& bad :
       {std::array{0.0, 0.5, 1.2}, std::array{0.5, 1.0, 1.2}, std::array{0.5, 0.9, 0.8}})
    EXPECT_EQ(testing::code_of([&] { (void)survival_factor(bad[0], bad[1], bad[2]); }),
              "bad-curve");
}

// Truth: the documented error codes.
TEST(Woehler, RefusesCurvesWithoutMeaning) {
  const auto code = [](WoehlerCurve curve) {
    return testing::code_of([&] { check_curve(curve); });
  };
  EXPECT_EQ(code(kSteel), "no error");
  WoehlerCurve curve = kSteel;
  curve.slope = 0.0;
  EXPECT_EQ(code(curve), "bad-curve");
  // below the knee, slope 2 k - 1 of 0.4 would make smaller amplitudes do more damage
  curve.slope = 0.4;
  curve.below = BelowKnee::haibach;
  EXPECT_EQ(code(curve), "bad-curve");
  curve.below = BelowKnee::elementary;
  EXPECT_EQ(code(curve), "no error");
  curve = kSteel;
  curve.knee = -1.0;
  EXPECT_EQ(code(curve), "bad-curve");
  curve = kSteel;
  curve.mean = MeanStress::goodman;
  EXPECT_EQ(code(curve), "bad-curve");
  EXPECT_EQ(testing::code_of([] { (void)parse_mean_stress("walker"); }), "usage");
}

}  // namespace
}  // namespace femflex::durability
