// Woehler (S-N) curves, mean stress and the linear damage sum of Palmgren and Miner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "femflex/durability/rainflow.h"

namespace femflex::durability {

/// Continuation of a curve below its knee.
enum class BelowKnee : std::uint8_t {
  original,    ///< no damage
  elementary,  ///< the same slope k
  haibach,     ///< slope 2 k - 1
};
/// original, elementary, haibach.  @throws UsageError
BelowKnee parse_below_knee(std::string_view name);

/// How the mean of a cycle changes its amplitude S_a to an equivalent one at mean 0. R_m is the
/// tensile strength, M the mean stress sensitivity.
enum class MeanStress : std::uint8_t {
  none,
  goodman,  ///< S_a / (1 - S_m / R_m); a negative mean has no effect
  gerber,   ///< S_a / (1 - (S_m / R_m)^2); a negative mean has no effect
  /// FKM guideline, four fields of R: S_a (1 - M) for R > 1; S_a + M S_m for R <= 0;
  /// (1 + M) (S_a + M S_m / 3) / (1 + M / 3) for 0 < R < 0.5; 3 S_a (1 + M)^2 / (3 + M) above
  fkm,
};
/// none, goodman, gerber, fkm.  @throws UsageError
MeanStress parse_mean_stress(std::string_view name);

/// N = knee_cycles (S / knee)^-slope. The knee is a stress amplitude at mean stress 0.
struct WoehlerCurve {
  std::string name;
  double slope = 0.0;        ///< k
  double knee = 0.0;         ///< amplitude [Pa]
  double knee_cycles = 0.0;  ///< N at the knee
  BelowKnee below = BelowKnee::haibach;
  MeanStress mean = MeanStress::none;
  double strength = 0.0;     ///< R_m of goodman and gerber [Pa]
  double sensitivity = 0.0;  ///< M of fkm
};

/// @throws ModelError  slope, knee or its cycles are not above 0, or a parameter of the mean stress
///   rule is missing
void check_curve(const WoehlerCurve& curve);

/// Amplitude at mean 0 that does the same damage; infinite where the maximum reaches R_m in
/// goodman's and gerber's rules.
double equivalent_amplitude(double amplitude, double mean, const WoehlerCurve& curve);

/// Cycles to failure at an amplitude at mean 0; infinite where there is no damage.
double cycles_to_failure(double amplitude, const WoehlerCurve& curve);

/// Sum of count / N: 1 is the end of the life.
double damage_of(std::span<const Cycle> cycles, const WoehlerCurve& curve);

}  // namespace femflex::durability
